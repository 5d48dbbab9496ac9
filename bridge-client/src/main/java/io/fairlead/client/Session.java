package io.fairlead.client;

import io.fairlead.wire.Headers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a handshake agreed on, and the numbers of the calls since. Identity matters: after a new
 * handshake, what belongs to the old session still refers to the old one.
 *
 * <p>Thread: owner loop. Owner: {@link Conversation}.
 */
final class Session {
  /** Before any handshake. */
  static final Session NONE = new Session(Optional.empty(), Optional.empty(), Optional.empty());

  private final Optional<String> id;
  private final Optional<String> revision;
  private final Optional<String> instance;
  private long lastCall;

  Session(Optional<String> id, Optional<String> revision, Optional<String> instance) {
    this.id = id;
    this.revision = revision;
    this.instance = instance;
  }

  boolean hasId() {
    return id.isPresent();
  }

  /** Whether the server names its run, as a Fairlead does. */
  boolean hasInstance() {
    return instance.isPresent();
  }

  /** Whether the server is a Fairlead, which can be asked about calls by their numbers. */
  boolean isFairlead() {
    return hasId() && instance.isPresent();
  }

  /** The number of the next call; empty if the server would not know what it means. */
  Optional<CallNumber> nextCall() {
    return isFairlead() ? Optional.of(new CallNumber(++lastCall)) : Optional.empty();
  }

  /** The session and version headers of every later request. */
  Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    id.ifPresent(value -> headers.put(Headers.SESSION, value));
    revision.ifPresent(value -> headers.put(Headers.VERSION, value));
    return headers;
  }

  /** Whether a response that names {@code other} comes from another run of the server. */
  boolean isAnotherInstance(Optional<String> other) {
    return instance.isPresent() && other.isPresent() && !instance.equals(other);
  }
}
