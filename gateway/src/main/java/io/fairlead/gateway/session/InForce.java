package io.fairlead.gateway.session;

import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.WireLimits;

/**
 * The configuration that holds now, and the reader of messages that follows from it. Whoever needs
 * a setting asks for it at the moment of use, so that a new configuration holds from the next
 * request on.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public final class InForce {
  private static final int MAX_MEMBERS = 10_000;
  private static final int MAX_DIGITS = 1_000;
  private static final int MAX_ID_BYTES = 256;

  private GatewayConfig config;
  private EnvelopeReader reader;

  public InForce(GatewayConfig config) {
    put(config);
  }

  /** Another configuration holds from now on. */
  public void put(GatewayConfig next) {
    config = next;
    reader = reader(next.limits().depth());
  }

  /** Reads messages that are nested up to {@code depth}. */
  public static EnvelopeReader reader(int depth) {
    return EnvelopeReader.ofClients(new WireLimits(depth, MAX_MEMBERS, MAX_DIGITS, MAX_ID_BYTES));
  }

  GatewayConfig config() {
    return config;
  }

  EnvelopeReader reader() {
    return reader;
  }
}
