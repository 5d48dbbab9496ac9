package io.fairlead.gateway;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.BackendFailure;
import io.fairlead.gateway.backend.CallListener;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.backend.LinkRequest;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.Methods;
import io.fairlead.wire.WireLimits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A backend whose every word the test speaks: it lists one tool {@code t} and one resource, and
 * leaves each call open until the test answers it. Its links run on the gateway's loop.
 */
final class ScriptedBackend implements Backend {
  static final String INITIALIZE_RESULT =
      "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{\"listChanged\":true},"
          + "\"resources\":{\"subscribe\":true},\"logging\":{}},"
          + "\"serverInfo\":{\"name\":\"scripted\",\"version\":\"1\"}}";

  private final String name;
  private final BlockingQueue<OpenCall> calls = new LinkedBlockingQueue<>();
  final BlockingQueue<String> notifications = new LinkedBlockingQueue<>();
  final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  final List<OpenLink> links = new CopyOnWriteArrayList<>();
  final List<String> closed = new CopyOnWriteArrayList<>();

  /** Links whose opening waits for the test. */
  final BlockingQueue<Runnable> opening = new LinkedBlockingQueue<>();

  volatile boolean refuses;
  volatile boolean holdsOpening;
  volatile boolean holdsLists;
  private volatile Context owner;

  ScriptedBackend(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Future<Link> open(LinkRequest request) {
    owner = Vertx.currentContext();
    if (refuses) {
      return Future.failedFuture(
          new BackendFailure("backend_unavailable", "backend " + name + " refuses"));
    }
    OpenLink link = new OpenLink(request);
    links.add(link);
    if (!holdsOpening) {
      return Future.succeededFuture(link);
    }
    Promise<Link> held = Promise.promise();
    opening.add(() -> held.complete(link));
    return held.future();
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }

  /** Opens the links that wait for it. */
  void open() {
    onLoop(() -> opening.forEach(Runnable::run));
  }

  /** The next call that reached the backend. */
  OpenCall nextCall() throws InterruptedException {
    OpenCall call = calls.poll(10, TimeUnit.SECONDS);
    if (call == null) {
      throw new AssertionError("no call reached the backend");
    }
    return call;
  }

  /** The call that has just reached the backend, without waiting; for the gateway's loop. */
  OpenCall takeCall() {
    return calls.remove();
  }

  /** Whether no further call has reached the backend. */
  boolean isQuiet() {
    return calls.isEmpty();
  }

  /** Runs on the gateway's loop, and waits for it. */
  void onLoop(Runnable task) {
    CountDownLatch done = new CountDownLatch(1);
    owner.runOnContext(
        nothing -> {
          task.run();
          done.countDown();
        });
    try {
      if (!done.await(10, TimeUnit.SECONDS)) {
        throw new AssertionError("the loop is blocked");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  Envelope envelope(String json) {
    try {
      return new EnvelopeReader(new WireLimits(100, 10_000, 1_000, 256))
          .read(json.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedMessage e) {
      throw new AssertionError(json, e);
    }
  }

  private static String list(String member, String item) {
    return "{\"" + member + "\":[" + item + "]}";
  }

  /** One call that waits for the test. */
  final class OpenCall implements Link.Dispatched {
    final Envelope request;
    final Principal asker;
    final CallListener listener;
    final BlockingQueue<String> cancelled = new LinkedBlockingQueue<>();
    volatile int pauses;
    volatile int resumes;

    OpenCall(Envelope request, Principal asker, CallListener listener) {
      this.request = request;
      this.asker = asker;
      this.listener = listener;
    }

    private String id() {
      return new String(request.id().orElseThrow().json(), StandardCharsets.UTF_8);
    }

    void say(String message) {
      onLoop(() -> listener.message(envelope(message)));
    }

    void note(String text) {
      say(
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\","
              + "\"data\":\""
              + text
              + "\"}}");
    }

    void answer(String text) {
      onLoop(() -> answerNow(text));
    }

    /** From the gateway's loop: in the middle of something else. */
    void answerNow(String text) {
      listener.answer(
          envelope(
              "{\"jsonrpc\":\"2.0\",\"id\":"
                  + id()
                  + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\""
                  + text
                  + "\"}]}}"));
    }

    /** From the gateway's loop: with the JSON object {@code result}. */
    void answerWith(String result) {
      listener.answer(
          envelope("{\"jsonrpc\":\"2.0\",\"id\":" + id() + ",\"result\":" + result + "}"));
    }

    void lose(String reason) {
      onLoop(
          () -> listener.lost(new Outcome(Outcome.State.UNKNOWN, reason, "The backend is gone.")));
    }

    @Override
    public void cancel(String reason) {
      cancelled.add(reason);
    }

    @Override
    public void pause() {
      pauses++;
    }

    @Override
    public void resume() {
      resumes++;
    }
  }

  /** One link; lists are answered at once, everything else waits for the test. */
  final class OpenLink implements Link {
    final LinkRequest request;

    OpenLink(LinkRequest request) {
      this.request = request;
    }

    @Override
    public byte[] initializeResult() {
      return INITIALIZE_RESULT.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Dispatched call(Envelope message, Principal asker, CallListener listener) {
      OpenCall call = new OpenCall(message, asker, listener);
      String result =
          switch (message.method()) {
            case Methods.TOOLS_LIST ->
                list("tools", "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}");
            case Methods.RESOURCES_LIST ->
                list("resources", "{\"uri\":\"test://r\",\"name\":\"r\"}");
            case Methods.TEMPLATES_LIST -> list("resourceTemplates", "");
            default -> "";
          };
      if (result.isEmpty() || holdsLists) {
        calls.add(call);
      } else {
        String answer = "{\"jsonrpc\":\"2.0\",\"id\":" + call.id() + ",\"result\":" + result + "}";
        Vertx.currentContext().runOnContext(later -> listener.answer(envelope(answer)));
      }
      return call;
    }

    @Override
    public void notify(byte[] notification) {
      notifications.add(new String(notification, StandardCharsets.UTF_8));
    }

    @Override
    public void answer(byte[] response) {
      answers.add(new String(response, StandardCharsets.UTF_8));
    }

    @Override
    public Future<Void> close() {
      closed.add("link");
      return Future.succeededFuture();
    }

    void say(String message) {
      onLoop(() -> request.listener().message(envelope(message)));
    }

    void die(String reason) {
      onLoop(() -> request.listener().closed(reason));
    }
  }
}
