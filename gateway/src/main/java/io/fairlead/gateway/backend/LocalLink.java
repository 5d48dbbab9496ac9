package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.Json;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One conversation with a {@link LocalBackend}.
 *
 * <p>Thread: owner loop. Owner: the session that opened it.
 */
final class LocalLink implements Link {
  static final List<String> LEVELS =
      List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

  /** The capabilities of clients that tools here can use. */
  private static final List<String> ASKED_FOR = List.of("elicitation", "sampling", "roots");

  static final int MAX_SUBSCRIPTIONS = 1000;

  /** A question to the client that waits for its answer. */
  private record Question(LocalCall call, Promise<JsonObject> answer) {}

  private final String name;
  private final LinkListener listener;
  private final Context loop;
  private final Thread loopThread = Thread.currentThread();
  private final Consumer<LocalLink> onEnd;
  private final byte[] initializeResult;
  private final Set<String> clientCapabilities = new HashSet<>(0);
  private final LoopWatch watch;
  private final LocalMethods methods;
  private final EnvelopeReader reader;
  private final Set<LocalCall> calls = new LinkedHashSet<>();
  private final Map<RpcId, Question> questions = new HashMap<>();
  private final Set<String> subscriptions = new HashSet<>();
  private long lastQuestion;
  private int level;
  private boolean ended;

  LocalLink(
      LocalCatalog catalog,
      EnvelopeReader reader,
      LinkRequest request,
      Context loop,
      LoopWatch watch,
      Consumer<LocalLink> onEnd) {
    this.name = catalog.name();
    this.reader = reader;
    this.listener = request.listener();
    this.loop = loop;
    this.onEnd = onEnd;
    JsonObject params = new JsonObject(Buffer.buffer(request.initializeParams()));
    JsonObject capabilities = params.getJsonObject("capabilities", new JsonObject());
    // not the object: it takes many times the memory of its bytes
    ASKED_FOR.stream()
        .filter(name -> capabilities.getValue(name) instanceof JsonObject)
        .forEach(clientCapabilities::add);
    String revision = params.getString("protocolVersion", "");
    this.initializeResult = catalog.initializeResult(revision).getBytes(UTF_8);
    this.watch = watch;
    this.methods = new LocalMethods(catalog, this);
  }

  /** Sees to code of the application that keeps the loop. */
  LoopWatch watch() {
    return watch;
  }

  String name() {
    return name;
  }

  /** Runs it now if this is the owner loop, else in a turn of its own there. */
  void onLoop(Runnable task) {
    if (Thread.currentThread() == loopThread) {
      task.run();
    } else {
      loop.runOnContext(ignored -> task.run());
    }
  }

  /** Runs it in a later turn of the owner loop, behind all that was handed over before. */
  void later(Runnable task) {
    loop.runOnContext(ignored -> task.run());
  }

  /** A message that this class or the application made. */
  Envelope read(byte[] message) {
    try {
      return reader.read(message);
    } catch (MalformedMessage e) {
      throw new IllegalArgumentException("backend=" + name + ": " + e.error().message(), e);
    }
  }

  @Override
  public byte[] initializeResult() {
    return initializeResult;
  }

  @Override
  public Dispatched call(Envelope request, Principal asker, CallListener callListener) {
    LocalCall call = new LocalCall(this, request, asker, callListener);
    calls.add(call);
    loop.runOnContext(ignored -> start(call));
    return call;
  }

  private void start(LocalCall call) {
    if (ended) {
      call.lost(
          new Outcome(
              Outcome.State.NOT_DISPATCHED,
              "backend_lost",
              "The tool server was closed. Nothing was done."));
    } else {
      call.run(methods);
    }
  }

  void finished(LocalCall call) {
    if (calls.remove(call)) {
      List.copyOf(questions.entrySet()).stream()
          .filter(entry -> entry.getValue().call() == call)
          .forEach(
              entry -> {
                questions.remove(entry.getKey());
                entry.getValue().answer().fail(new ToolFailure("The call has ended."));
              });
    }
  }

  /** A request to the client; {@code answer} completes with its result. */
  Envelope ask(LocalCall call, String method, JsonObject params, Promise<JsonObject> answer) {
    long id = ++lastQuestion;
    questions.put(RpcId.of(id), new Question(call, answer));
    return read(LocalMessages.request(id, method, params));
  }

  boolean clientHas(String capability) {
    return clientCapabilities.contains(capability);
  }

  /** Sets the lowest level that is logged to the client; false if there is no such level. */
  boolean setLevel(String name) {
    int found = LEVELS.indexOf(name);
    level = Math.max(found, 0);
    return found >= 0;
  }

  boolean admits(String name) {
    return LEVELS.indexOf(name) >= level;
  }

  void subscribe(String uri) {
    if (subscriptions.size() >= MAX_SUBSCRIPTIONS && !subscriptions.contains(uri)) {
      throw RpcFailure.invalidParams("subscriptions=" + MAX_SUBSCRIPTIONS + "; unsubscribe first");
    }
    subscriptions.add(uri);
  }

  void unsubscribe(String uri) {
    subscriptions.remove(uri);
  }

  void resourceUpdated(String uri) {
    if (subscriptions.contains(uri)) {
      JsonObject params = new JsonObject().put("uri", uri);
      listener.message(read(LocalMessages.notification(Methods.RESOURCES_UPDATED, params)));
    }
  }

  /** Tells the client that a list changed. */
  void changed(String method) {
    listener.message(read(LocalMessages.notification(method, new JsonObject())));
  }

  /** What clients notify of concerns no tool here. */
  @Override
  public void notify(byte[] notification) {}

  @Override
  public void answer(byte[] response) {
    Envelope message = read(response);
    Question question = message.id().map(questions::remove).orElse(null);
    if (question == null) {
      return;
    }
    if (message.kind() == Envelope.Kind.RESULT) {
      AskedResult.of(message).onComplete(question.answer());
    } else {
      question.answer().fail(new ToolFailure("The client refused: " + reason(message)));
    }
  }

  private static String reason(Envelope error) {
    byte[] bytes = error.bytes();
    return error
        .error()
        .flatMap(span -> Json.member(bytes, span, "message"))
        .flatMap(span -> Json.string(bytes, span))
        .orElse("no reason given");
  }

  @Override
  public Future<Void> close() {
    if (!ended) {
      ended = true;
      List.copyOf(calls).forEach(call -> call.cancel("the session was closed"));
      onEnd.accept(this);
    }
    return Future.succeededFuture();
  }

  /** The backend is closed: whoever uses it is told. */
  void end(String text) {
    if (!ended) {
      ended = true;
      Outcome outcome =
          new Outcome(
              Outcome.State.UNKNOWN,
              "backend_lost",
              "The tool server was closed before it answered. The action may or may not have"
                  + " happened. Check before trying again.");
      List.copyOf(calls).forEach(call -> call.lost(outcome));
      onEnd.accept(this);
      listener.closed(text);
    }
  }
}
