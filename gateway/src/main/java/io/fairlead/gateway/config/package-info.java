/**
 * The configuration as immutable records, and its reader. An application that embeds the gateway
 * uses {@link io.fairlead.gateway.config.ConfigLoader}, {@link
 * io.fairlead.gateway.config.ConfigResult} and {@link io.fairlead.gateway.config.GatewayConfig},
 * which has a meaning to it as a whole only.
 */
package io.fairlead.gateway.config;
