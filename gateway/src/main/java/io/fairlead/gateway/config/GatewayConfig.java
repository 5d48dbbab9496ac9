package io.fairlead.gateway.config;

import java.time.Duration;
import java.util.Map;

/**
 * The whole configuration, checked and immutable.
 *
 * @param drain how long calls in flight may take after SIGTERM
 * @param backends by name, in the order of their names
 */
public record GatewayConfig(
    ListenConfig listen,
    SessionsConfig sessions,
    EventsConfig events,
    LimitsConfig limits,
    Duration drain,
    AuthConfig auth,
    Map<String, BackendConfig> backends,
    ManagementConfig management) {}
