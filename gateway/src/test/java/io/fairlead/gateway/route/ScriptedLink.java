package io.fairlead.gateway.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.backend.CallListener;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.backend.LinkRequest;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Json;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One link of a {@link ScriptedBackend}. Thread: owner loop. */
final class ScriptedLink implements Link {

  /** Said on the stream of the next call, before its answer. */
  final List<String> during = new ArrayList<>();

  private final ScriptedBackend backend;
  private final LinkRequest request;
  private final byte[] initializeResult;
  private final Map<CallListener, Runnable> waiting = new LinkedHashMap<>();
  private boolean closed;

  ScriptedLink(ScriptedBackend backend, LinkRequest request, byte[] initializeResult) {
    this.backend = backend;
    this.request = request;
    this.initializeResult = initializeResult;
  }

  boolean isClosed() {
    return closed;
  }

  /** Says something outside of any call. */
  void say(String json) {
    request.listener().message(ScriptedBackend.read(json));
  }

  /** Is lost, with all calls that wait for an answer. */
  void die(String reason) {
    closed = true;
    Outcome outcome = new Outcome(Outcome.State.UNKNOWN, "backend_lost", reason);
    List.copyOf(waiting.keySet()).forEach(call -> call.lost(outcome));
    request.listener().closed(reason);
  }

  /** Answers what has waited, as the script says now. */
  void answerAll() {
    List.copyOf(waiting.values()).forEach(Runnable::run);
  }

  @Override
  public byte[] initializeResult() {
    return initializeResult;
  }

  @Override
  public Dispatched call(Envelope call, Principal asker, CallListener listener) {
    String cursor =
        Json.member(call.bytes(), call.params().orElseThrow(), "cursor")
            .map(span -> new String(Json.copy(call.bytes(), span), UTF_8))
            .orElse("");
    Runnable answer = () -> answer(call, cursor, listener);
    waiting.put(listener, answer);
    backend.vertx().runOnContext(ignored -> answer.run());
    // last, so that what a test does after it heard of this comes after the answer
    backend.heard.add((call.method() + " " + cursor).strip());
    return reason -> {
      if (waiting.remove(listener) != null) {
        backend.heard.add("cancel");
      }
    };
  }

  private void answer(Envelope call, String cursor, CallListener listener) {
    if (closed || !waiting.containsKey(listener)) {
      return;
    }
    during.forEach(message -> listener.message(ScriptedBackend.read(message)));
    during.clear();
    String answer = backend.answer(call.method(), cursor);
    if (!answer.equals(ScriptedBackend.SILENCE)) {
      waiting.remove(listener);
      listener.answer(ScriptedBackend.read("{\"jsonrpc\":\"2.0\",\"id\":1," + answer + "}"));
    }
  }

  @Override
  public void notify(byte[] notification) {
    throw new AssertionError("the catalog sends no notification");
  }

  @Override
  public void answer(byte[] response) {
    backend.heard.add(new String(response, UTF_8));
  }

  @Override
  public Future<Void> close() {
    if (!closed) {
      closed = true;
      waiting.clear();
      backend.heard.add("close");
    }
    return Future.succeededFuture();
  }
}
