package io.fairlead.gateway.session;

import io.fairlead.store.SessionEvents;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One session's streams: those of its calls, kept for a time after their end, and the standalone
 * one.
 *
 * <p>Thread: owner loop. Owner: {@link Session}.
 */
final class Streams {
  private final Services services;
  private final SessionEvents events;
  private final Presence presence;
  private final boolean resumable;
  private final Map<String, RequestStream> byName = new LinkedHashMap<>(0);
  private final ForgottenStreams forgotten = new ForgottenStreams();
  private RequestStream standalone;

  Streams(Services services, Presence presence, boolean resumable) {
    this.services = services;
    this.events = services.store().openSession();
    this.presence = presence;
    this.resumable = resumable;
  }

  /** A stream with a random name. */
  RequestStream open() {
    return open(services.streamIds().next());
  }

  RequestStream open(String name) {
    if (byName.size() >= services.config().limits().streamsPerSession()) {
      services.metrics().refused("streams_per_session");
      closeOldest();
    }
    RequestStream stream =
        new RequestStream(
            events.open(name, () -> forgotten(name)),
            resumable,
            presence,
            services.metrics(),
            services.instance());
    byName.put(name, stream);
    services.tally().streams(+1);
    return stream;
  }

  Optional<RequestStream> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Whether there was a stream of that name not long ago. */
  boolean wasForgotten(String name) {
    return forgotten.contains(name);
  }

  /** The standalone stream, opened if need be. */
  RequestStream standalone() {
    if (standalone == null) {
      standalone = open();
    }
    return standalone;
  }

  /** The standalone stream, if the client or a backend has needed it before. */
  Optional<RequestStream> ifStandalone() {
    return Optional.ofNullable(standalone);
  }

  /** Ends the connection of each whose client can come back. */
  void poll() {
    Duration retry = services.config().events().retry();
    List.copyOf(byName.values()).forEach(stream -> stream.poll(retry));
  }

  void close() {
    List.copyOf(byName.values()).forEach(RequestStream::close);
    events.close();
  }

  /** An ended stream if there is one, else the oldest that is not the standalone one. */
  private void closeOldest() {
    byName.values().stream()
        .filter(RequestStream::isEnded)
        .findFirst()
        .or(() -> byName.values().stream().filter(stream -> stream != standalone).findFirst())
        .ifPresent(RequestStream::close);
  }

  private void forgotten(String name) {
    RequestStream gone = byName.remove(name);
    if (gone != null) {
      forgotten.add(name);
      services.tally().streams(-1);
      if (gone == standalone) {
        standalone = null;
      }
    }
  }
}
