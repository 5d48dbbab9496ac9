package io.fairlead.gateway.backend;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.RpcId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The requests that a child sent and that wait for an answer: which link got each, so that no other
 * link can answer it. Bounded: a child that floods pushes its own oldest out.
 *
 * <p>Thread: owner loop. Owner: {@link StdioChild}.
 */
final class ServerRequests {
  static final int MAX = 1024;

  /** Who got a request, and how to reach it again. */
  record Receiver(StdioLink link, Consumer<Envelope> deliver) {
    void message(Envelope message) {
      deliver.accept(message);
    }
  }

  private final Map<RpcId, Receiver> waiting =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RpcId, Receiver> eldest) {
          return size() > MAX;
        }
      };

  void add(RpcId id, Receiver receiver) {
    waiting.put(id, receiver);
  }

  /** Takes out the request that {@code link} answers; false if it has none with this id. */
  boolean answered(RpcId id, StdioLink link) {
    Receiver receiver = waiting.get(id);
    if (receiver == null || receiver.link() != link) {
      return false;
    }
    waiting.remove(id);
    return true;
  }

  /** Takes out the request that the child cancels. */
  Optional<Receiver> cancelled(RpcId id) {
    return Optional.ofNullable(waiting.remove(id));
  }

  void forget(StdioLink link) {
    waiting.values().removeIf(receiver -> receiver.link() == link);
  }
}
