package io.fairlead.gateway.session;

/**
 * Told when a connection takes a stream up, and when it leaves it.
 *
 * <p>Thread: owner loop.
 */
interface Presence {
  void arrived();

  void left();
}
