package io.fairlead.gateway.config;

import java.util.List;

/**
 * Where the gateway listens, and for whom.
 *
 * @param host address to bind
 * @param port port to bind, 0 for a free one
 * @param path path of the MCP endpoint
 * @param allowedHosts names accepted in the Host header; empty: the loopback names when bound to
 *     loopback, else any
 * @param allowedOrigins origins of browser clients; empty: only those of the loopback names
 */
public record ListenConfig(
    String host, int port, String path, List<String> allowedHosts, List<String> allowedOrigins) {}
