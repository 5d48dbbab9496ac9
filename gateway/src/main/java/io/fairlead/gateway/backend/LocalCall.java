package io.fairlead.gateway.backend;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Json;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcError;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request to a {@link LocalBackend}, and what a tool may say while it runs.
 *
 * <p>Thread: owner loop, but for the methods of {@link ToolCall}, which hop to it. Owner: {@link
 * LocalLink}.
 */
final class LocalCall implements ToolCall, Link.Dispatched {
  private static final Logger LOG = LoggerFactory.getLogger(LocalCall.class);

  private final LocalLink link;
  private final Envelope request;
  private final Principal asker;
  private final CallListener listener;
  private final Optional<String> token;
  private final List<Runnable> cancelActions = new ArrayList<>();

  /** As long as somebody uses them: once read they take many times the bytes of the request. */
  private WeakReference<JsonObject> arguments = new WeakReference<>(null);

  private boolean ended;
  private boolean cancelled;

  LocalCall(LocalLink link, Envelope request, Principal asker, CallListener listener) {
    this.link = link;
    this.request = request;
    this.asker = asker;
    this.listener = listener;
    this.token =
        request
            .progressToken()
            .map(span -> Json.copy(request.bytes(), span))
            .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  String method() {
    return request.method();
  }

  LocalParams params() {
    return LocalParams.of(request);
  }

  void arguments(JsonObject object) {
    arguments = new WeakReference<>(object);
  }

  /** Answers the request, in a turn of its own. */
  void run(LocalMethods methods) {
    if (ended) {
      return;
    }
    try {
      // Never at once: what another thread said before it completed the result is on its way still.
      methods.answer(this).onComplete(done -> link.later(() -> finish(done)));
    } catch (RuntimeException e) {
      finish(Future.failedFuture(e));
    }
  }

  private void finish(AsyncResult<String> done) {
    if (done.cause() instanceof CallLost lost) {
      lost(lost.outcome());
    } else if (end()) {
      listener.answer(done.succeeded() ? answer(done.result()) : answer(error(done.cause())));
    }
  }

  private Envelope answer(String result) {
    try {
      return link.read(
          Json.result(request.id().orElseThrow(), result.getBytes(StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      return answer(error(e));
    }
  }

  private Envelope answer(RpcError error) {
    return link.read(error.toMessage(request.id()));
  }

  private RpcError error(Throwable cause) {
    if (cause instanceof RpcFailure failure) {
      return failure.error();
    }
    if (cause instanceof ToolFailure) {
      return RpcError.of(RpcError.INTERNAL, "failed", cause.getMessage());
    }
    LOG.error("backend={} method={} failed", link.name(), method(), cause);
    return RpcError.of(
        RpcError.INTERNAL, "failed", "The request failed. The log of the gateway says why.");
  }

  /** Ends the call: no answer can come. */
  void lost(Outcome outcome) {
    if (end()) {
      cancelled();
      listener.lost(outcome);
    }
  }

  @Override
  public void cancel(String reason) {
    if (end()) {
      cancelled();
    }
  }

  private boolean end() {
    boolean first = !ended;
    ended = true;
    link.finished(this);
    return first;
  }

  private void cancelled() {
    cancelled = true;
    List<Runnable> actions = List.copyOf(cancelActions);
    cancelActions.clear();
    actions.forEach(this::runSafely);
  }

  private void runSafely(Runnable action) {
    try {
      link.watch()
          .run(
              "cancel",
              () -> {
                action.run();
                return true;
              });
    } catch (RuntimeException e) {
      LOG.error("a cancel action failed", e);
    }
  }

  @Override
  public JsonObject arguments() {
    JsonObject used = arguments.get();
    return used == null ? params().object("arguments").json() : used;
  }

  @Override
  public Principal principal() {
    return asker;
  }

  @Override
  public void progress(double progress, OptionalDouble total, String message) {
    token.ifPresent(json -> say(LocalMessages.progress(json, progress, total, message)));
  }

  @Override
  public void log(String level, String logger, Object data) {
    byte[] message = LocalMessages.log(level, logger, data);
    link.onLoop(
        () -> {
          if (link.admits(level)) {
            say(message);
          }
        });
  }

  private void say(byte[] message) {
    link.onLoop(
        () -> {
          if (!ended) {
            listener.message(link.read(message));
          }
        });
  }

  @Override
  public Future<JsonObject> elicit(JsonObject params) {
    return ask("elicitation", Methods.ELICIT, params);
  }

  @Override
  public Future<JsonObject> sample(JsonObject params) {
    return ask("sampling", Methods.SAMPLE, params);
  }

  @Override
  public Future<JsonObject> listRoots() {
    return ask("roots", Methods.ROOTS_LIST, new JsonObject());
  }

  private Future<JsonObject> ask(String capability, String method, JsonObject params) {
    Promise<JsonObject> answer = Promise.promise();
    link.onLoop(
        () -> {
          if (ended) {
            answer.fail(new ToolFailure("The call has ended; nobody can be asked."));
          } else if (!link.clientHas(capability)) {
            answer.fail(
                new ToolFailure(
                    "The client cannot be asked: it does not have the capability "
                        + capability
                        + "."));
          } else {
            listener.message(link.ask(this, method, params, answer));
          }
        });
    return answer.future();
  }

  @Override
  public void onCancel(Runnable action) {
    link.onLoop(
        () -> {
          if (cancelled) {
            runSafely(action);
          } else if (!ended) {
            cancelActions.add(action);
          }
        });
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void closeClientConnection(Duration retry) {
    link.onLoop(
        () -> {
          if (!ended) {
            listener.polled(retry);
          }
        });
  }
}
