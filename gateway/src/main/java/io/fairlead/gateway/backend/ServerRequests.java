package io.fairlead.gateway.backend;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.Json;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcError;
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

  static final RpcError NO_CLIENT =
      RpcError.of(RpcError.INTERNAL, "no_client", "No client is connected that could answer this.");

  /** For a child that serves several sessions. */
  static final RpcError UNATTRIBUTED =
      RpcError.of(
          RpcError.INTERNAL,
          "unattributed",
          "Nobody can be asked: this process serves several clients, and the request does not say"
              + " for which call it is. A process of its own for each session (scope=session and"
              + " sessions.mode=stateful) can ask.");

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

  /** What is answered to a request that no client gets; a ping needs none. */
  static byte[] answerAlone(Envelope request, RpcError refusal) {
    RpcId id = request.id().orElseThrow();
    return request.method().equals(Methods.PING)
        ? Json.result(id, Map.of())
        : refusal.toMessage(Optional.of(id));
  }

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
