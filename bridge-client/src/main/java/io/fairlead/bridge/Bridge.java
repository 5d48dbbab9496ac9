package io.fairlead.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.client.HttpLink;
import io.fairlead.client.HttpTransport;
import io.fairlead.client.ListChanges;
import io.fairlead.client.Outcome;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.Json;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcError;
import io.fairlead.wire.RpcId;
import io.fairlead.wire.WireLimits;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between one stdio client and one server: messages pass as the bytes that they are, each
 * request gets exactly one answer, and the client does not notice that the server was restarted but
 * by the outcome of what was in flight.
 *
 * <p>Thread: owner loop. Owner: {@link BridgeMain}.
 */
final class Bridge implements StdinReader.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Bridge.class);
  private static final int MAX_HELD = 1024;
  private static final int MAX_ASKED = 1024;

  private final Vertx vertx;
  private final BridgeOptions options;
  private final StdoutWriter out;
  private final String instance;
  private final Runnable whenEnded;
  private final ToolFilter tools;
  private final Upstream upstream;
  private final EnvelopeReader reader = EnvelopeReader.ofClients(WireLimits.WIDE);
  private final BridgeCalls calls;

  /** What waits for the link, in order. */
  private final Deque<Envelope> held = new ArrayDeque<>();

  /** The server's requests that the client has not answered. */
  private final Set<RpcId> asked = new LinkedHashSet<>();

  private Optional<byte[]> initializeParams = Optional.empty();
  private Optional<RpcId> initializing = Optional.empty();

  /** The client has said that it is ready for what the server says of its own. */
  private boolean ready;

  private boolean ending;
  private boolean closed;
  private long drain = -1;

  /**
   * @param instance names this process in outcomes
   * @param whenEnded told once, after the session was ended or given up
   */
  Bridge(
      Vertx vertx,
      BridgeOptions options,
      HttpTransport transport,
      StdoutWriter out,
      String instance,
      Runnable whenEnded) {
    this.vertx = vertx;
    this.options = options;
    this.out = out;
    this.instance = instance;
    this.whenEnded = whenEnded;
    this.tools = options.tools();
    this.calls = new BridgeCalls(out, tools, instance, this::pass, this::noteQuiet);
    this.upstream =
        new Upstream(vertx, transport, options.startTimeout(), options.probing(), new Server());
  }

  @Override
  public void line(byte[] line) {
    try {
      receive(reader.read(line));
    } catch (MalformedMessage e) {
      unread(e.error(), e.id(), line, line);
    }
  }

  @Override
  public void oversize(byte[] head, byte[] tail) {
    String text = "The message is above --max-message=" + options.maxMessage() + " bytes.";
    unread(RpcError.of(RpcError.INVALID_REQUEST, "too_large", text), Optional.empty(), head, tail);
  }

  /** Who waits for what this message was about is told, if that can be found out. */
  private void unread(RpcError error, Optional<RpcId> known, byte[] head, byte[] tail) {
    Optional<RpcId> id = known.or(() -> MessageId.find(head, tail));
    if (!MessageId.isAnswer(head)) {
      out.write(error.toMessage(id));
      return;
    }
    LOG.warn("An answer of the client was not delivered: {}", error.message());
    if (id.filter(asked::remove).isPresent()) {
      post(error.toMessage(id));
    }
  }

  private void receive(Envelope message) {
    if (ending) {
      return;
    }
    switch (message.kind()) {
      case REQUEST -> request(message);
      case NOTIFICATION -> notification(message);
      case RESULT, ERROR -> {
        // an answer to a session that is gone must not reach a question of the new one
        if (message.id().filter(asked::remove).isPresent()) {
          post(message.bytes());
        }
      }
    }
  }

  private void request(Envelope message) {
    if (message.method().equals(Methods.INITIALIZE)) {
      initialize(message);
    } else if (tools.refuses(message)) {
      String text = "Unknown tool: " + message.name().orElse("");
      refuse(message, new RpcError(RpcError.INVALID_PARAMS, text, Map.of()));
    } else if (upstream.link().isPresent()) {
      if (!message.method().equals(Methods.PING)) {
        // who calls is ready, whether or not it has said so
        ready();
      }
      calls.begin(upstream.link().get(), message);
    } else if (message.method().equals(Methods.PING)) {
      out.write(Json.result(message.id().orElseThrow(), Map.of()));
    } else if (initializeParams.isEmpty()) {
      refuse(message, RpcError.of(RpcError.INVALID_REQUEST, "malformed", "Send initialize first."));
    } else {
      hold(message);
    }
  }

  private void initialize(Envelope message) {
    if (upstream.isOpening() || upstream.link().isPresent()) {
      refuse(
          message,
          RpcError.of(RpcError.INVALID_REQUEST, "malformed", "It is initialized already."));
      return;
    }
    ready = false;
    byte[] params =
        message.params().map(span -> Json.copy(message.bytes(), span)).orElse("{}".getBytes(UTF_8));
    initializing = message.id();
    initializeParams = Optional.of(params);
    upstream.open(params);
  }

  private void hold(Envelope message) {
    if (held.size() >= MAX_HELD) {
      String text = "Too many requests wait for the server: max=" + MAX_HELD + ".";
      lost(message, Outcome.notDispatched("overloaded", text));
      return;
    }
    held.add(message);
    upstream.open(initializeParams.orElseThrow());
  }

  private void refuse(Envelope request, RpcError error) {
    out.write(error.toMessage(request.id()));
  }

  private void lost(Envelope request, Outcome outcome) {
    out.write(outcome.toMessage(request.id().orElseThrow(), request.method(), instance));
  }

  private void notification(Envelope message) {
    switch (message.method()) {
      case Methods.CANCELLED -> cancel(message);
      // the link has said so itself, in each of its sessions
      case Methods.INITIALIZED -> ready();
      default -> post(message.bytes());
    }
  }

  private void ready() {
    if (!ready) {
      ready = true;
      resumeListening();
    }
  }

  private void resumeListening() {
    if (ready && !out.isFull()) {
      upstream.link().ifPresent(HttpLink::resume);
    }
  }

  private void cancel(Envelope message) {
    Optional<RpcId> id = message.cancelledId().map(span -> RpcId.copyOf(message.bytes(), span));
    if (id.isEmpty()) {
      return;
    }
    String reason = message.cancelReason().orElse("The client cancelled the request.");
    held.removeIf(waiting -> waiting.id().equals(id));
    calls.cancel(id.get(), reason);
    noteQuiet();
  }

  private void post(byte[] message) {
    upstream
        .link()
        .ifPresent(
            link ->
                link.post(message)
                    .onFailure(
                        cause -> LOG.warn("A message was not delivered: {}", cause.getMessage())));
  }

  /** There is room for the client's messages again. */
  void drained() {
    calls.resume();
    resumeListening();
  }

  /** Waits a while for what is in flight, then cancels it and ends the session. Idempotent. */
  @Override
  public void end() {
    if (!ending) {
      ending = true;
      drain = vertx.setTimer(Math.max(1, options.drainTimeout().toMillis()), fired -> close());
      noteQuiet();
    }
  }

  /** Nobody reads any more what is answered, so nothing is awaited. Idempotent. */
  void abandon() {
    ending = true;
    close();
  }

  private void noteQuiet() {
    if (ending && calls.isEmpty() && held.isEmpty() && initializing.isEmpty()) {
      close();
    }
  }

  private void close() {
    vertx.cancelTimer(drain);
    if (!closed) {
      closed = true;
      upstream.close().onComplete(done -> whenEnded.run());
    }
  }

  private void pass(Envelope message) {
    if (message.lacksId()) {
      LOG.debug("The server sent a request without an id");
      return;
    }
    if (message.kind() == Envelope.Kind.REQUEST) {
      if (asked.size() >= MAX_ASKED) {
        asked.remove(asked.iterator().next());
      }
      asked.add(message.id().orElseThrow());
    }
    out.write(message.bytes());
    if (out.isFull()) {
      calls.pause();
      upstream.link().ifPresent(HttpLink::pause);
    }
  }

  /** What the server says beside the calls, and what becomes of the link. */
  private final class Server implements Upstream.Listener {
    @Override
    public void opened(byte[] initializeResult) {
      if (!ready) {
        upstream.link().ifPresent(HttpLink::pause);
      }
      if (initializing.isPresent()) {
        out.write(Json.result(initializing.get(), initializeResult));
        initializing = Optional.empty();
      } else {
        renewed(initializeResult);
      }
      while (!held.isEmpty() && upstream.link().isPresent()) {
        calls.begin(upstream.link().get(), held.poll());
      }
      noteQuiet();
    }

    @Override
    public void failed(String reason, String what) {
      LOG.warn("The server cannot be used: {}", what);
      initializing.ifPresent(
          id -> {
            initializeParams = Optional.empty();
            out.write(RpcError.of(RpcError.SERVER, reason, what).toMessage(Optional.of(id)));
          });
      initializing = Optional.empty();
      while (!held.isEmpty()) {
        Bridge.this.lost(held.poll(), Outcome.notDispatched(reason, what));
      }
      noteQuiet();
    }

    @Override
    public void message(Envelope message) {
      pass(message);
    }

    @Override
    public void renewed(byte[] initializeResult) {
      LOG.warn("The server has a new session for us");
      asked.clear();
      ListChanges.of(initializeResult, reader).forEach(change -> out.write(change.bytes()));
    }
  }
}
