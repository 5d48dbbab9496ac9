package io.fairlead.gateway.observe;

import java.util.Locale;

/**
 * What the access log says about one HTTP exchange; filled in as it becomes known, written when it
 * ends. Nothing is formatted before, nor if the log is off.
 *
 * <p>Thread: owner loop. Owner: the front's exchange.
 */
public final class Exchange {

  /** What happened to the connection of a stream. */
  public enum Leg {
    /** It went on after a cursor. */
    RESUMED,
    /** A newer connection took its stream. */
    TAKEN_OVER,
    /** The client closed it. */
    CLIENT_GONE,
    /** The client read nothing for too long. */
    CUT,
    /** It reached the configured age. */
    AGED
  }

  private static final String NONE = "";

  private final AccessLog log;
  private final long number;
  private final String verb;
  private final String path;
  private final String peer;
  private final long begun = System.nanoTime();
  private String issuer = NONE;
  private String subject = NONE;
  private String method = NONE;
  private String tool = NONE;
  private String backend = NONE;
  private String session = NONE;
  private String reason = NONE;
  private String legs = NONE;
  private boolean ended;

  Exchange(AccessLog log, long number, String verb, String path, String peer) {
    this.log = log;
    this.number = number;
    this.verb = verb;
    this.path = path;
    this.peer = peer;
  }

  /** Its number in this run, for other log lines about it. */
  public long number() {
    return number;
  }

  /** Who asks; empty for anonymous. */
  public Exchange principal(String issuer, String subject) {
    this.issuer = issuer;
    this.subject = subject;
    return this;
  }

  /** The JSON-RPC method, as sent. */
  public Exchange method(String method) {
    this.method = method;
    return this;
  }

  /** The tool that was asked for, as sent. */
  public Exchange tool(String tool) {
    this.tool = tool;
    return this;
  }

  public Exchange backend(String backend) {
    this.backend = backend;
    return this;
  }

  /** The session's id, which is written as a hash only. */
  public Exchange session(String id) {
    this.session = id;
    return this;
  }

  /** Why it was refused: a {@code data.reason} of the contract. */
  public Exchange refused(String reason) {
    this.reason = reason;
    return this;
  }

  public Exchange leg(Leg leg) {
    String word = leg.name().toLowerCase(Locale.ROOT);
    legs = legs.isEmpty() ? word : legs + "," + word;
    return this;
  }

  /**
   * It is over: writes the line. Idempotent: only the first call writes.
   *
   * @param status the HTTP status that was sent, or 0 if the client left before
   */
  public void end(int status) {
    if (!ended) {
      ended = true;
      if (log.isOn()) {
        log.write(this, status);
      }
    }
  }

  String line(KeyedHash sessions, int status) {
    LogLine line = new LogLine().number("exchange", number).text("peer", peer);
    line.text("issuer", issuer).text("subject", subject);
    line.text("verb", verb).text("path", path).text("method", method).text("tool", tool);
    line.text("backend", backend).text("session", session.isEmpty() ? NONE : sessions.of(session));
    line.number("status", status).number("ms", (System.nanoTime() - begun) / 1_000_000);
    return line.text("reason", reason).text("stream", legs).toString();
  }
}
