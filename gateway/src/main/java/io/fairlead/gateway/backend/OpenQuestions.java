package io.fairlead.gateway.backend;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.RpcId;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The requests that a backend's present session sent and that were not answered. A new session
 * counts its ids from the start again, so an answer to the old one must not reach it. Bounded: a
 * backend that floods pushes its own oldest out.
 *
 * <p>Thread: owner loop. Owner: {@link HttpBackendLink}.
 */
final class OpenQuestions {
  private static final int MAX = 1024;

  private final Set<RpcId> open = new LinkedHashSet<>();

  /** Notes the message if it is a request. */
  void asked(Envelope message) {
    if (message.kind() != Envelope.Kind.REQUEST) {
      return;
    }
    if (open.size() == MAX) {
      Iterator<RpcId> oldest = open.iterator();
      oldest.next();
      oldest.remove();
    }
    open.add(message.id().orElseThrow());
  }

  /** Takes out the request that {@code response} answers; false if there is none. */
  boolean answered(byte[] response, EnvelopeReader reader) {
    try {
      return reader.read(response).id().map(open::remove).orElse(false);
    } catch (MalformedMessage e) {
      return false;
    }
  }

  void clear() {
    open.clear();
  }
}
