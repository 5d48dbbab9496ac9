package io.fairlead.gateway.route;

/**
 * How a backend does, as seen from the catalog's shared link.
 *
 * @param phase where it stands
 * @param reason why it is not up, for people to read; empty if it is or if nothing is known yet
 */
public record State(Phase phase, String reason) {

  /** Where a backend stands. */
  public enum Phase {
    /** Its first attempt has not ended, or it answered the handshake but no list yet. */
    STARTING,
    /** Its shared link is open and its lists were read. */
    UP,
    /** It could not be opened, or its shared link was lost; it is being reopened. */
    DOWN
  }

  static final State UP = new State(Phase.UP, "");

  static State starting(String reason) {
    return new State(Phase.STARTING, reason);
  }

  static State down(String reason) {
    return new State(Phase.DOWN, reason);
  }

  public boolean isUp() {
    return phase == Phase.UP;
  }
}
