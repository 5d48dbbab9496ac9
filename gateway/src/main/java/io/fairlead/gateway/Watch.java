package io.fairlead.gateway;

import io.fairlead.gateway.auth.AuthUnavailable;
import io.fairlead.gateway.config.ConfigChange;
import io.fairlead.gateway.config.ConfigResult;
import io.fairlead.gateway.config.HoconStoreFactory;
import io.fairlead.gateway.config.InvalidConfig;
import io.vertx.config.ConfigRetriever;
import io.vertx.config.ConfigRetrieverOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a running gateway in step with its configuration. A good change is applied; a bad one is
 * refused whole and said once, and the configuration in force stays.
 *
 * <p>Thread: the event loop that it was made on. Owner: {@link ReloadVerticle}.
 */
final class Watch {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  /** What is read twice the same, this far apart, is not being written any more. */
  private static final Duration SETTLED = Duration.ofMillis(100);

  private final Vertx vertx;
  private final Callable<ConfigResult> loading;
  private final GatewayVerticle gateway;
  private final Consumer<ConfigChange> whenApplied;
  private final ConfigRetriever retriever;

  private ConfigResult.Accepted inForce;

  /** What was said last of a configuration that was refused; empty after a good one. */
  private String refusal = "";

  private List<String> needRestart = List.of();
  private boolean reloading;
  private boolean again;
  private boolean asked;

  /** Whether the latest change failed for a reason outside of the files, which may pass. */
  private boolean mayPass;

  /**
   * @param loading reads the configuration; may block
   * @param whenApplied is told of each change that is in force
   */
  Watch(
      Vertx vertx,
      Watched watched,
      Callable<ConfigResult> loading,
      Launch.Started started,
      Consumer<ConfigChange> whenApplied) {
    this.vertx = vertx;
    this.loading = loading;
    this.gateway = started.gateway();
    this.inForce = started.configuration();
    this.whenApplied = whenApplied;
    this.retriever =
        ConfigRetriever.create(
            vertx,
            new ConfigRetrieverOptions()
                .setScanPeriod(gateway.reloadPeriod().toMillis())
                .addStore(HoconStoreFactory.options(watched.file(), watched.overrides())));
    // the first look differs from nothing, so what was changed since the start is found too
    retriever.listen(change -> load());
    retriever.setBeforeScanHandler(
        scan -> {
          if (mayPass) {
            load();
          }
        });
    LOG.info(
        "watching config={} and what it includes, period={}",
        watched.file(),
        gateway.reloadPeriod());
  }

  /** Reads the configuration now, because somebody asked for it, and says what came of it. */
  void reload() {
    asked = true;
    load();
  }

  Future<Void> close() {
    return retriever.close();
  }

  private void load() {
    if (reloading) {
      again = true;
      return;
    }
    reloading = true;
    boolean sayAll = asked;
    asked = false;
    vertx
        .executeBlocking(loading)
        .compose(read -> sayAll ? Future.succeededFuture(read) : settled(read))
        .map(read -> read.fold(accepted -> accepted.after(inForce), refused -> refused))
        .compose(read -> read.fold(this::apply, this::refuse))
        .onComplete(change -> accepted(change, sayAll), failure -> refused(failure, sayAll))
        .onComplete(
            done -> {
              reloading = false;
              if (again) {
                again = false;
                load();
              }
            });
  }

  /** Reads until nothing changes any more. */
  private Future<ConfigResult> settled(ConfigResult read) {
    if (read.fingerprint().equals(inForce.fingerprint())) {
      return Future.succeededFuture(read);
    }
    return vertx
        .timer(SETTLED.toMillis(), TimeUnit.MILLISECONDS)
        .compose(now -> vertx.executeBlocking(loading))
        .compose(
            next ->
                next.fingerprint().equals(read.fingerprint())
                    ? Future.succeededFuture(next)
                    : settled(next));
  }

  private Future<ConfigChange> apply(ConfigResult.Accepted accepted) {
    return gateway
        .apply(accepted.config())
        .onSuccess(change -> inForce = accepted)
        .recover(
            failure ->
                Future.failedFuture(
                    failure instanceof InvalidConfig invalid
                        ? StartFailure.of(accepted.refuse(invalid))
                        : failure));
  }

  private Future<ConfigChange> refuse(ConfigResult.Refused refused) {
    gateway.refused();
    return Future.failedFuture(StartFailure.of(refused));
  }

  private void accepted(ConfigChange change, boolean sayAll) {
    // who asked, or was told of a refusal, hears how it went even if nothing is new
    boolean wordIsDue = sayAll || !refusal.isEmpty();
    List<String> waiting = change.needRestart();
    if (!change.isEmpty() || (wordIsDue && waiting.isEmpty())) {
      LOG.info("configuration applied: {}", change);
    }
    if (!waiting.isEmpty() && (wordIsDue || !waiting.equals(needRestart))) {
      LOG.warn(
          "keys={} changed and keep their values until the gateway is restarted{}",
          String.join(",", waiting),
          change.isEmpty() ? "; nothing else differs" : "");
    }
    refusal = "";
    needRestart = waiting;
    mayPass = false;
    if (!change.isEmpty()) {
      whenApplied.accept(change);
    }
  }

  private void refused(Throwable failure, boolean sayAll) {
    mayPass = failure instanceof AuthUnavailable;
    String text = String.valueOf(failure.getMessage());
    if (sayAll || !text.equals(refusal)) {
      boolean expected =
          mayPass || failure instanceof StartFailure || failure instanceof IllegalArgumentException;
      LOG.error(
          "configuration refused, the one in force stays{}: {}",
          mayPass ? " and this one is tried again" : "",
          text,
          expected ? null : failure);
    }
    refusal = text;
  }
}
