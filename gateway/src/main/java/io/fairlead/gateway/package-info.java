/**
 * The gateway as a verticle, and the command line around it.
 *
 * <p>An application that embeds it uses {@link io.fairlead.gateway.GatewayVerticle} of this
 * package, the configuration ({@link io.fairlead.gateway.config.ConfigLoader}), the tools ({@link
 * io.fairlead.gateway.backend.LocalBackend} and what its handlers get and return) and {@link
 * io.fairlead.gateway.auth.Principal}. Only these are kept as they are from one version to the
 * next; what else is public is so for the packages of the gateway among themselves.
 */
package io.fairlead.gateway;
