package io.fairlead.gateway.http;

import io.fairlead.gateway.auth.Authenticator;

/**
 * What every request has to pass before it is looked at.
 *
 * @param host refuses foreign hosts and origins
 * @param cors answers browsers
 * @param authenticator finds out who asks
 */
public record Guards(HostGuard host, Cors cors, Authenticator authenticator) {}
