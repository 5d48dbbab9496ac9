package io.fairlead.gateway.session;

import java.util.function.Function;

/** Whether a new session was let in. */
public sealed interface Admission {

  /** It was. */
  record Opened(Session session) implements Admission {}

  /**
   * It was not.
   *
   * @param limit the configuration key of the limit that is reached
   */
  record Full(String limit) implements Admission {}

  /** One function per case. */
  default <T> T fold(Function<Session, T> opened, Function<String, T> full) {
    return this instanceof Opened found
        ? opened.apply(found.session())
        : full.apply(((Full) this).limit());
  }
}
