package io.fairlead.gateway.http;

/**
 * What every request has to pass before it is looked at.
 *
 * @param host refuses foreign hosts and origins
 * @param cors answers browsers
 */
public record Guards(HostGuard host, Cors cors) {}
