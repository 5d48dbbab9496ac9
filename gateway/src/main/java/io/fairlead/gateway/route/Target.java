package io.fairlead.gateway.route;

/**
 * Where a client-side name leads.
 *
 * @param backend the backend's name
 * @param name the name, URI or URI template as that backend knows it
 */
public record Target(String backend, String name) {}
