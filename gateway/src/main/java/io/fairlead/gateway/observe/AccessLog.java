package io.fairlead.gateway.observe;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one line per HTTP exchange, at its end: who asked what, where it went and how it ended;
 * never a token, a session id, an argument or a header's value.
 *
 * <p>Thread: owner loop. Owner: the front.
 */
public final class AccessLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.fairlead.access");

  private final KeyedHash sessions;
  private long exchanges;

  /**
   * @param sessions what session ids are shown as
   */
  public AccessLog(KeyedHash sessions) {
    this.sessions = sessions;
  }

  /**
   * An exchange has begun.
   *
   * @param verb the HTTP method
   * @param path the class of the path, from a closed set; never the path itself
   * @param peer the address of the other end
   */
  public Exchange begin(String verb, String path, String peer) {
    return new Exchange(this, ++exchanges, verb, path, peer);
  }

  boolean isOn() {
    return LOG.isInfoEnabled();
  }

  void write(Exchange exchange, int status) {
    LOG.info(exchange.line(sessions, status));
  }
}
