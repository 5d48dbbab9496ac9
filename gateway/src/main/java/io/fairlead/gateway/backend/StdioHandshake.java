package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.config.BackendConfig;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Json;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Optional;

/**
 * The {@code initialize} of one child, bounded by {@code start-timeout}.
 *
 * <p>Thread: owner loop. Owner: {@link StdioChild}.
 */
final class StdioHandshake implements CallListener {
  private final String backend;
  private final BackendConfig.Stdio config;
  private final Promise<byte[]> promise = Promise.promise();

  StdioHandshake(String backend, BackendConfig.Stdio config, Vertx vertx) {
    this.backend = backend;
    this.config = config;
    long timer = vertx.setTimer(config.startTimeout().toMillis(), fired -> timedOut());
    promise.future().onComplete(done -> vertx.cancelTimer(timer));
  }

  /** The request to send first; its id is replaced like that of every call. */
  static byte[] request(byte[] params) {
    String head = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":";
    return (head + new String(params, UTF_8) + "}").getBytes(UTF_8);
  }

  /** The InitializeResult; fails with a {@link BackendFailure}. Completes on the owner loop. */
  Future<byte[]> result() {
    return promise.future();
  }

  boolean succeeded() {
    return promise.future().succeeded();
  }

  /** What the child says meanwhile belongs to no call. */
  @Override
  public void message(Envelope message) {}

  @Override
  public void answer(Envelope response) {
    Optional<byte[]> result = response.result().map(span -> Json.copy(response.bytes(), span));
    if (result.isPresent() && result.get()[0] == '{') {
      promise.tryComplete(result.get());
    } else {
      refuse("it refused initialize; what it writes to standard error is logged at DEBUG");
    }
  }

  @Override
  public void lost(Outcome outcome) {
    refuse(outcome.text());
  }

  private void timedOut() {
    refuse(
        String.format(
            "it did not answer initialize within start-timeout=%dms; try its command in a shell, or"
                + " raise backends.%s.start-timeout",
            config.startTimeout().toMillis(), backend));
  }

  void refuse(String text) {
    promise.tryFail(
        new BackendFailure(
            "backend_unavailable", "backend=" + backend + " could not be started: " + text));
  }
}
