package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.config.BackendConfig;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.Json;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcId;
import io.fairlead.wire.WireLimits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The conversation with one child process: its handshake, the ids of its calls, and where each of
 * its messages goes. It serves one link, or all of them if the child is shared.
 *
 * <p>Thread: owner loop. Owner: {@link StdioBackend}.
 */
final class StdioChild implements ChildProcess.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(StdioChild.class);
  private static final byte[] INITIALIZED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}".getBytes(UTF_8);

  private final String name;
  private final BackendConfig.Stdio config;
  private final Context owner;
  private final EnvelopeReader reader = new EnvelopeReader(WireLimits.WIDE);
  private final Correlation correlation;
  private final SkippedLines skipped;
  private final Attribution attribution;
  private final ServerRequests serverRequests = new ServerRequests();
  private final SharedSubscriptions subscriptions = new SharedSubscriptions();
  private final List<StdioLink> links = new ArrayList<>();
  private final StdioHandshake handshake;
  private final Future<byte[]> started;
  private final ChildProcess process;
  private boolean ended;
  private int pauses;
  private boolean stopped;

  StdioChild(
      String name,
      BackendConfig.Stdio config,
      Context owner,
      byte[] initializeParams,
      Correlation correlation,
      Attribution attribution) {
    this.name = name;
    this.config = config;
    this.owner = owner;
    this.correlation = correlation;
    this.attribution = attribution;
    this.process = ChildProcess.spawn(name, config, owner, this);
    this.skipped = new SkippedLines(name, config.maxMessage(), correlation);
    this.handshake = new StdioHandshake(name, config, owner.owner());
    try {
      Envelope initialize = reader.read(StdioHandshake.request(initializeParams));
      process.write(correlation.begin(initialize, handshake).takeRequest());
    } catch (MalformedMessage e) {
      handshake.refuse("the params of initialize are no JSON object");
    }
    this.started = handshake.result().map(this::initialized);
  }

  private byte[] initialized(byte[] result) {
    process.write(INITIALIZED);
    return result;
  }

  /**
   * Adds a link, which is open when the handshake is done. Completes on the owner loop, within
   * start-timeout; fails with a {@link BackendFailure}.
   */
  Future<StdioLink> attach(LinkListener listener) {
    StdioLink link = new StdioLink(this, owner, listener);
    links.add(link);
    return started.map(link::opened);
  }

  /** Completes when the handshake is done, on the owner loop; fails within start-timeout. */
  Future<Void> started() {
    return started.mapEmpty();
  }

  /** Forgets a link; a child that is not shared ends with its link. */
  Future<Void> detach(StdioLink link) {
    links.remove(link);
    serverRequests.forget(link);
    subscriptions.forget(link);
    return config.shared() ? Future.succeededFuture() : close();
  }

  /** Whether calls can be handed to it. */
  boolean isUsable() {
    return !ended && process.takesInput();
  }

  /**
   * Hands a call to the child.
   *
   * @return empty if the child does not take it: it does not read, or is gone
   */
  Optional<Correlation.Pending> dispatch(
      StdioLink link, Envelope request, Principal asker, CallListener listener) {
    Correlation.Pending call = correlation.begin(request, listener);
    if (!process.write(call.takeRequest())) {
      call.cancel("");
      return Optional.empty();
    }
    attribution.began(call, link, asker);
    pace();
    return Optional.of(call);
  }

  /** Whether the child must not hear of a request, because of what other links want. */
  boolean keepsFromChild(StdioLink link, Envelope request) {
    return subscriptions.keeps(link, request);
  }

  /** Forgets a call that ended, whoever ended it. */
  void finished(Correlation.Pending call) {
    attribution.ended(call);
    pace();
  }

  /** Sends a notification; one that the child does not take is dropped. */
  void write(byte[] notification) {
    process.write(notification);
  }

  /** Sends an answer if {@code link} was asked for it; else it is dropped. */
  void answer(byte[] response, StdioLink link) {
    try {
      Optional<RpcId> id = reader.read(response).id();
      if (id.isPresent() && serverRequests.answered(id.get(), link)) {
        process.write(response);
      }
    } catch (MalformedMessage e) {
      LOG.debug("backend={} an answer was dropped: {}", name, e.error().message());
    }
  }

  /**
   * A call's reader lags. The child is not read while that is so of all its calls: one slow reader
   * must not hold the others up, and is bounded by its own ring meanwhile. A child of several links
   * is always read.
   */
  void pause() {
    pauses++;
    pace();
  }

  void resume() {
    pauses--;
    pace();
  }

  private void pace() {
    boolean allLag = !config.shared() && pauses > 0 && pauses >= attribution.inFlight();
    if (allLag == stopped) {
      return;
    }
    stopped = allLag;
    if (allLag) {
      process.pause();
    } else {
      process.resume();
    }
  }

  @Override
  public void line(byte[] line) {
    try {
      Envelope message = reader.read(line);
      if (!correlation.deliver(message)) {
        route(message);
      }
    } catch (MalformedMessage e) {
      skipped.malformed(line);
    }
  }

  private void route(Envelope message) {
    if (message.kind() == Envelope.Kind.REQUEST) {
      request(message, message.id().orElseThrow());
      return;
    }
    switch (message.method()) {
      case Methods.TOOLS_CHANGED, Methods.PROMPTS_CHANGED, Methods.RESOURCES_CHANGED ->
          toAllLinks(message);
      case Methods.RESOURCES_UPDATED -> updated(message);
      case Methods.CANCELLED ->
          message
              .cancelledId()
              .flatMap(span -> serverRequests.cancelled(RpcId.copyOf(message.bytes(), span)))
              .ifPresent(receiver -> receiver.message(message));
      default ->
          meantCall().ifPresentOrElse(call -> call.message(message), () -> outsideCalls(message));
    }
  }

  /** A URI is news of who asked for it, and nobody else's business. */
  private void updated(Envelope message) {
    if (attribution.isShared()) {
      message.name().map(subscriptions::to).orElse(Set.of()).forEach(link -> link.message(message));
    } else {
      toAllLinks(message);
    }
  }

  /** The call that a message without a token belongs to. */
  private Optional<Correlation.Pending> meantCall() {
    return handshake.succeeded() ? attribution.meant(correlation.latest()) : Optional.empty();
  }

  private void outsideCalls(Envelope message) {
    if (attribution.isShared()) {
      attribution.withheld(message);
    } else {
      toAllLinks(message);
    }
  }

  private void request(Envelope message, RpcId id) {
    if (!handshake.succeeded() || links.isEmpty()) {
      process.write(ServerRequests.answerAlone(message, ServerRequests.NO_CLIENT));
      return;
    }
    Optional<Correlation.Pending> meant = meantCall();
    if (meant.isEmpty() && attribution.isShared()) {
      attribution.withheld(message);
      process.write(ServerRequests.answerAlone(message, ServerRequests.UNATTRIBUTED));
      return;
    }
    StdioLink newest = links.get(links.size() - 1);
    ServerRequests.Receiver receiver =
        meant
            .map(call -> new ServerRequests.Receiver(attribution.linkOf(call), call::message))
            .orElseGet(() -> new ServerRequests.Receiver(newest, newest::message));
    serverRequests.add(id, receiver);
    receiver.message(message);
  }

  /** The answer of a child that has nothing to say. */
  Envelope emptyResult(RpcId id) {
    try {
      return reader.read(Json.result(id, Map.of()));
    } catch (MalformedMessage impossible) {
      throw new IllegalStateException("the gateway's own answer is malformed", impossible);
    }
  }

  private void toAllLinks(Envelope message) {
    List.copyOf(links).forEach(link -> link.message(message));
  }

  @Override
  public void oversize(byte[] head) {
    skipped.oversize(head);
  }

  @Override
  public void oversizeEnd(byte[] tail) {
    skipped.oversizeEnd(tail);
  }

  @Override
  public void ended(String text) {
    if (handshake.succeeded()) {
      LOG.warn("backend={} ended: {}", name, text);
    }
    end(text);
  }

  private void end(String text) {
    ended = true;
    handshake.refuse(text);
    correlation.loseAll(
        new Outcome(
            Outcome.State.UNKNOWN,
            "backend_lost",
            "The tool server ended before it answered ("
                + text
                + "). The action may or may not"
                + " have happened. Check before trying again."));
    List.copyOf(links).forEach(link -> link.ended(text));
    links.clear();
  }

  /** Ends the child; whoever still uses it is told. Idempotent; completes on the owner loop. */
  Future<Void> close() {
    if (!ended) {
      end("it was closed");
    }
    return process.close();
  }

  /** Completes on the owner loop when the process and all that it started are gone. */
  Future<Void> gone() {
    return process.gone();
  }
}
