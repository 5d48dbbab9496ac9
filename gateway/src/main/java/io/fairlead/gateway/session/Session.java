package io.fairlead.gateway.session;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.route.View;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Methods;
import io.fairlead.wire.Revision;
import io.fairlead.wire.RpcId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One legacy client's conversation, from initialize to its end: its calls, streams and links. A
 * session without an id serves one exchange of the stateless mode.
 *
 * <p>Thread: owner loop. Owner: {@link Sessions}.
 */
public final class Session implements Presence {
  /**
   * What a new session is made of.
   *
   * @param principal who opened it; it serves nobody else
   * @param endpoint the backend that it talks to alone; empty for all
   * @param revision what was negotiated
   * @param initializeParams what backends are told of the client: a JSON object
   */
  public record Start(
      Principal principal, String endpoint, Revision revision, byte[] initializeParams) {}

  /** What the registry wants to know of a session. */
  interface Lifecycle {

    /** Its work or presence changed. */
    void settle(Session session);
  }

  private final Services services;
  private final Lifecycle lifecycle;
  private final Start start;
  private final HeldBytes.Hold told;
  private final String id;
  private final Links links;
  private final Streams streams;
  private final Dispatcher dispatcher;
  private final ToClient toClient;
  private final ServerRequests asked = new ServerRequests();
  private final Settings settings;
  private final ListNews news;
  private final List<Call> calls = new ArrayList<>(0);
  private CallNumbers numbers;
  private int present;
  private final long openedNanos = System.nanoTime();
  private boolean outdated;
  private boolean closed;

  Session(
      Services services,
      Map<String, Backend> backends,
      Lifecycle lifecycle,
      Start start,
      String id) {
    this.services = services;
    this.lifecycle = lifecycle;
    this.start = start;
    this.told = services.tally().sessionBytes().hold(start.initializeParams().length);
    this.id = id;
    this.links =
        id.isEmpty() ? new SharedLinks(services.catalog()) : new PrivateLinks(this, backends);
    this.streams = new Streams(services, this, !id.isEmpty());
    this.dispatcher = new Dispatcher(services, this, links);
    this.toClient = new ToClient(this, streams, asked);
    this.settings = new Settings(services, this);
    this.news = new ListNews(services.loop(), streams);
  }

  /** The session id; empty in stateless mode. */
  public String id() {
    return id;
  }

  public Principal principal() {
    return start.principal();
  }

  /** The backend's name if the session talks to one alone, else empty. */
  public String endpoint() {
    return start.endpoint();
  }

  public Revision revision() {
    return start.revision();
  }

  byte[] initializeParams() {
    return start.initializeParams();
  }

  String instance() {
    return services.instance();
  }

  OwnerLoop loop() {
    return services.loop();
  }

  Settings settings() {
    return settings;
  }

  /** What the session's endpoint offers now; empty if its backend is no longer configured. */
  public Optional<View> view() {
    return services.view(endpoint());
  }

  /** Whether one more call may be in flight. */
  public boolean admitsCall() {
    return calls.size() < services.config().limits().callsPerSession();
  }

  /**
   * Accepts a request: its answer comes on a stream of its own.
   *
   * @param asker who asks this time
   * @param askable whether the connection can carry requests from the backend
   * @param number the client's own number of the call, which names its stream
   * @param sink attached to the stream before anything is dispatched
   */
  public void call(
      Envelope request, Principal asker, boolean askable, OptionalLong number, StreamSink sink) {
    RequestStream stream =
        number.isPresent()
            ? streams.open(CallNumbers.streamName(number.getAsLong()))
            : streams.open();
    HeldBytes.Hold bytes = services.tally().callBytes().hold(request.bytes().length);
    Call call = new Call(this, request, stream, askable, bytes);
    calls.add(call);
    services.tally().calls(+1);
    sink.attachTo(stream, 0);
    number.ifPresent(known -> numbers().dispatched(known));
    dispatcher.dispatch(call, request, asker);
  }

  /** The numbers that the client gave to its calls. */
  public CallNumbers numbers() {
    if (numbers == null) {
      numbers = new CallNumbers();
    }
    return numbers;
  }

  /** Accepts a notification from the client. */
  public void notification(Envelope notification) {
    switch (notification.method()) {
      case Methods.INITIALIZED -> {}
      case Methods.CANCELLED -> cancel(notification);
      case Methods.PROGRESS ->
          asked.linkOfToken(notification).ifPresent(link -> link.notify(notification.bytes()));
      default -> links.open().forEach(link -> link.notify(notification.bytes()));
    }
  }

  /** Accepts the client's answer to a backend's request; one that nobody waits for is counted. */
  public void response(Envelope response) {
    if (!asked.answer(response)) {
      services.metrics().count("unexpected_responses");
    }
  }

  /** The stream with this name, while it is kept. */
  public Optional<RequestStream> stream(String name) {
    return streams.find(name);
  }

  /** Whether there was a stream with this name that is no longer kept. */
  public boolean forgotStream(String name) {
    return streams.wasForgotten(name);
  }

  /** The standalone stream, opened if need be. */
  public RequestStream standalone() {
    return streams.standalone();
  }

  /** Ends the standalone stream's connection; the client is to come back. */
  public void pollStandalone() {
    streams.ifStandalone().ifPresent(stream -> stream.poll(services.config().events().retry()));
  }

  /** Ends the connections of all streams; the client is to come back with its credentials. */
  public void pollAll() {
    streams.poll();
  }

  /** The lists that clients see have changed. */
  public void listsChanged(Collection<String> notifications) {
    news.changed(notifications);
  }

  /** Tells every client that still waits that no answer will come. */
  void abortCalls(Outcome outcome) {
    List.copyOf(calls).forEach(call -> call.abort(outcome));
  }

  /** The backend was removed or replaced; the calls that run there go on, and are returned. */
  List<Call> retire(String backend) {
    links.retire(backend);
    return calls.stream().filter(call -> call.backend().equals(backend)).toList();
  }

  /** Closes the link to a backend that was retired, when no call runs on it any more. */
  Future<Void> release(Backend backend) {
    return links.release(backend);
  }

  Optional<Call> latestCallAt(String backend) {
    for (int i = calls.size() - 1; i >= 0; i--) {
      if (calls.get(i).askable() && calls.get(i).backend().equals(backend)) {
        return Optional.of(calls.get(i));
      }
    }
    return Optional.empty();
  }

  private void cancel(Envelope notification) {
    Optional<RpcId> target =
        notification.cancelledId().map(span -> RpcId.copyOf(notification.bytes(), span));
    // Clients may use one id for several calls at once; the one they regret is the latest.
    for (int i = calls.size() - 1; i >= 0; i--) {
      if (target.isPresent() && calls.get(i).id().equals(target.get())) {
        calls.get(i).cancel(notification.cancelReason().orElse("cancelled by the client"));
        return;
      }
    }
  }

  /** A call has ended. */
  void finished(Call call, String outcome) {
    calls.remove(call);
    services.tally().calls(-1);
    services.metrics().called(call.backend(), outcome, call.nanos());
    lifecycle.settle(this);
  }

  void fromBackend(String backend, Link link, Envelope message) {
    if (!closed) {
      dispatcher.listChanged(backend, message);
      toClient.outsideCalls(backend, link, message);
    }
  }

  void fromBackend(Call call, Link link, Envelope message) {
    if (!closed) {
      dispatcher.listChanged(call.backend(), message);
      toClient.inCall(call, link, message);
    }
  }

  void linkOpened(String backend, Link link) {
    services.tally().links(backend, +1);
    settings.restore(backend, link);
  }

  /** The backend began the conversation of this link anew. */
  void linkRenewed(String backend, Link link) {
    // in a later turn: it is about to be told that the conversation has begun
    loop()
        .execute(
            () -> {
              if (!closed) {
                settings.restore(backend, link);
              }
            });
  }

  /** A backend came up: what the client subscribed to there is restored. */
  public void backendUp(String backend) {
    if (!closed && settings.subscribes(backend)) {
      links.link(backend);
    }
  }

  void linkClosed(String backend, Link link) {
    services.tally().links(backend, -1);
    asked.forget(link);
  }

  @Override
  public void arrived() {
    services.tally().sinks(+1);
    hold();
  }

  @Override
  public void left() {
    services.tally().sinks(-1);
    release();
  }

  /** An exchange of this session is in progress that has no stream yet. */
  public void hold() {
    present++;
    lifecycle.settle(this);
  }

  /** The exchange that was held for is over, or has got its stream. */
  public void release() {
    present--;
    lifecycle.settle(this);
  }

  boolean hasPresence() {
    return present > 0;
  }

  boolean hasWork() {
    return !calls.isEmpty();
  }

  long openedNanos() {
    return openedNanos;
  }

  /** What runs may end; nothing more begins. */
  void outdate() {
    outdated = true;
  }

  /** Whether it has reached {@code sessions.max-age}, and only waits for what still runs. */
  public boolean isOutdated() {
    return outdated;
  }

  /** Whether a request of it is in progress; the standalone stream is none. */
  boolean isInUse() {
    boolean listens = streams.ifStandalone().filter(RequestStream::isAttached).isPresent();
    return hasWork() || present > (listens ? 1 : 0);
  }

  public boolean isClosed() {
    return closed;
  }

  /** Ends everything. Idempotent; the future completes when backends were told, in bounded time. */
  Future<Void> close(String reason) {
    if (closed) {
      return Future.succeededFuture();
    }
    closed = true;
    told.release();
    settings.close();
    List.copyOf(calls).forEach(call -> call.cancel(reason));
    asked.close();
    news.close();
    streams.close();
    return links.close();
  }
}
