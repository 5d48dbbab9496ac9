package io.fairlead.gateway.backend;

import io.fairlead.client.CallRequest;
import io.fairlead.client.HttpLink;
import io.fairlead.client.HttpTransport;
import io.fairlead.client.ListChanges;
import io.fairlead.client.Outcome;
import io.fairlead.client.Probing;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.observe.Metrics;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.WireLimits;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One session's conversation with an HTTP backend: gives calls the gateway's own ids, tells the
 * backend who asks, and lets no answer reach a session of the backend that did not ask for it.
 *
 * <p>Thread: owner loop. Owner: the session (or the catalog) that opened it.
 */
final class HttpBackendLink implements Link, HttpLink.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(HttpBackendLink.class);

  /** An idle session is left alone, so that the backend may let it expire. */
  private static final Probing PROBING = new Probing(Duration.ofSeconds(1), Duration.ZERO, 3);

  private final Optional<String> principalHeader;
  private final LinkListener listener;
  private final EnvelopeReader reader = new EnvelopeReader(WireLimits.WIDE);
  private final Correlation correlation;
  private final OpenQuestions questions = new OpenQuestions();
  private Optional<HttpLink> link = Optional.empty();
  private Consumer<HttpBackendLink> whenClosed = closed -> {};

  HttpBackendLink(Optional<String> principalHeader, LinkListener listener, Metrics metrics) {
    this.principalHeader = principalHeader;
    this.listener = listener;
    this.correlation = new Correlation(metrics);
  }

  /** Does the handshake. */
  Future<Void> open(
      HttpTransport transport, byte[] initializeParams, Consumer<HttpBackendLink> whenClosed) {
    this.whenClosed = whenClosed;
    return HttpLink.open(transport, initializeParams, this).onSuccess(this::opened).mapEmpty();
  }

  private void opened(HttpLink opened) {
    link = Optional.of(opened);
    opened.monitor(PROBING);
  }

  private HttpLink opened() {
    return link.orElseThrow();
  }

  @Override
  public byte[] initializeResult() {
    return opened().initializeResult();
  }

  @Override
  public Dispatched call(Envelope request, Principal asker, CallListener callListener) {
    Correlation.Pending pending = correlation.begin(request, callListener);
    CallRequest outgoing =
        new CallRequest(pending.takeRequest(), pending.linkId(), pending.method(), headers(asker));
    HttpBackendCall call = new HttpBackendCall(correlation, questions, pending, callListener);
    return call.dispatched(opened().call(outgoing, call));
  }

  private Map<String, String> headers(Principal asker) {
    return principalHeader.map(name -> Map.of(name, headerValue(asker))).orElse(Map.of());
  }

  /** Issuer and subject, each percent-encoded so that the slash between them is the only one. */
  private static String headerValue(Principal asker) {
    return asker.isAnonymous()
        ? "anonymous"
        : encoded(asker.issuer()) + "/" + encoded(asker.subject());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public void notify(byte[] notification) {
    post(notification);
  }

  @Override
  public void answer(byte[] response) {
    if (questions.answered(response, reader)) {
      post(response);
    }
  }

  private void post(byte[] message) {
    opened()
        .post(message)
        .onFailure(cause -> LOG.debug("A message was not accepted: {}", cause.getMessage()));
  }

  @Override
  public void message(Envelope message) {
    if (!correlation.deliver(message)) {
      questions.asked(message);
      listener.message(message);
    }
  }

  /** What the new session offers may differ, and whoever waits for old answers is gone. */
  @Override
  public void renewed(byte[] initializeResult) {
    questions.clear();
    listener.renewed();
    ListChanges.of(initializeResult, reader).forEach(listener::message);
  }

  @Override
  public void closed(String reason) {
    whenClosed.accept(this);
    listener.closed(reason);
  }

  @Override
  public Future<Void> close() {
    whenClosed.accept(this);
    correlation.inFlight().forEach(call -> call.cancel("the session was closed"));
    return opened().close();
  }

  /** The backend is closed under its sessions: unlike after {@link #close} they are told. */
  Future<Void> closeAndTell() {
    String text = "The gateway has closed its connection to the backend.";
    correlation.loseAll(Outcome.unknown("backend_lost", text));
    listener.closed(text);
    return close();
  }
}
