package io.fairlead.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A {@link FaultyPeer} that speaks MCP wherever a test does not say otherwise: sessions, ping, the
 * notifications; no standalone stream. Scripts for calls, resumes and the standalone stream are
 * used up in order, the last one for ever.
 *
 * <p>Thread: the connections'.
 */
final class McpPeer implements AutoCloseable {
  static final String UNKNOWN_SESSION =
      "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32001,\"message\":\"no session\","
          + "\"data\":{\"reason\":\"session_unknown\",\"dispatched\":false}}}";

  final FaultyPeer http;
  private final Deque<FaultyPeer.Script> calls = new ArrayDeque<>();
  private final Deque<FaultyPeer.Script> resumes = new ArrayDeque<>();
  private final Deque<FaultyPeer.Script> listens = new ArrayDeque<>();
  private final Set<String> sessions = ConcurrentHashMap.newKeySet();
  private final AtomicInteger opened = new AtomicInteger();
  private volatile FaultyPeer.Script unknown = (request, wire) -> wire.respond(404, "", "gone");
  private volatile FaultyPeer.Script ping = McpPeer::answerPing;
  private volatile FaultyPeer.Script initialize = this::initialize;
  private volatile String instance = "";

  McpPeer() throws IOException {
    http = new FaultyPeer(this::answer);
  }

  /** What happens to POSTs that are neither handshake, ping nor notification. */
  McpPeer onCall(FaultyPeer.Script... scripts) {
    return queue(calls, scripts);
  }

  /** What happens to GETs with a cursor. */
  McpPeer onResume(FaultyPeer.Script... scripts) {
    return queue(resumes, scripts);
  }

  /** What happens to GETs without a cursor. */
  McpPeer onListen(FaultyPeer.Script... scripts) {
    return queue(listens, scripts);
  }

  private synchronized McpPeer queue(Deque<FaultyPeer.Script> to, FaultyPeer.Script... scripts) {
    to.clear();
    to.addAll(java.util.List.of(scripts));
    return this;
  }

  private synchronized Optional<FaultyPeer.Script> next(Deque<FaultyPeer.Script> from) {
    return Optional.ofNullable(from.size() > 1 ? from.poll() : from.peek());
  }

  /** What happens to requests of a session that the peer does not know. */
  McpPeer onUnknownSession(FaultyPeer.Script script) {
    unknown = script;
    return this;
  }

  McpPeer onPing(FaultyPeer.Script script) {
    ping = script;
    return this;
  }

  McpPeer onInitialize(FaultyPeer.Script script) {
    initialize = script;
    return this;
  }

  /** The value of Fairlead-Instance from now on. */
  void instance(String id) {
    instance = "Fairlead-Instance: " + id + "\r\n";
  }

  /** As after a restart. */
  void forgetSessions() {
    sessions.clear();
  }

  String instanceHeader() {
    return instance;
  }

  void initialize(FaultyPeer.Request request, Wire wire) throws IOException {
    String session = "session-" + opened.incrementAndGet();
    sessions.add(session);
    wire.respond(
        200,
        "Content-Type: application/json\r\nMcp-Session-Id: " + session + "\r\n" + instance,
        "{\"jsonrpc\":\"2.0\",\"id\":"
            + request.id()
            + ",\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            + "\"serverInfo\":{\"name\":\"peer\",\"version\":\""
            + opened
            + "\"}}}");
  }

  private void answer(FaultyPeer.Request request, Wire wire) throws IOException {
    if (request.calls("initialize")) {
      initialize.answer(request, wire);
    } else if (!sessions.contains(request.header("Mcp-Session-Id").orElse(""))) {
      unknown.answer(request, wire);
    } else if (request.method().equals("DELETE")) {
      wire.respond(200, "", "");
    } else if (request.method().equals("GET")) {
      boolean resumes = request.header("Last-Event-ID").isPresent();
      FaultyPeer.Script script =
          next(resumes ? this.resumes : listens)
              .orElse((asked, to) -> to.respond(405, "Allow: POST\r\n", ""));
      script.answer(request, wire);
    } else if (request.calls("ping")) {
      ping.answer(request, wire);
    } else if (request.id().isEmpty() || !request.body().contains("\"method\"")) {
      wire.accepted();
    } else {
      next(calls).orElse(McpPeer::answerWithResult).answer(request, wire);
    }
  }

  private static void answerPing(FaultyPeer.Request request, Wire wire) throws IOException {
    wire.json("{\"jsonrpc\":\"2.0\",\"id\":" + request.id() + ",\"result\":{}}");
  }

  /** The answer to a request. */
  static String result(FaultyPeer.Request request) {
    return result(request.id());
  }

  static void answerWithResult(FaultyPeer.Request request, Wire wire) throws IOException {
    wire.json(result(request));
  }

  static String result(String id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"ok\":true}}";
  }

  @Override
  public void close() throws IOException {
    http.close();
  }
}
