package io.fairlead.gateway.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.BackendFailure;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.backend.LinkRequest;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.WireLimits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A backend in this process that does what a test tells it, and says what it was asked: {@code
 * open}, {@code tools/list}, {@code tools/list "cursor"}, {@code cancel}, {@code close}, and the
 * answers that it gets.
 *
 * <p>Thread: owner loop.
 */
final class ScriptedBackend implements Backend {
  /** The answer to a request that gets none. */
  static final String SILENCE = "";

  static final String ALL = "{\"tools\":{},\"prompts\":{},\"resources\":{}}";

  final Heard heard = new Heard();

  /** Every link that was opened, the newest last. */
  final List<ScriptedLink> links = new ArrayList<>();

  /** Said to the listener before the link is opened. */
  final List<String> early = new ArrayList<>();

  private final Vertx vertx;
  private final String name;
  private final Map<String, UnaryOperator<String>> script = new HashMap<>();
  private String initializeResult = "{}";
  private String refusal = "";
  private boolean held;
  private Promise<Void> holding = Promise.promise();

  ScriptedBackend(Vertx vertx, String name) {
    this.vertx = vertx;
    this.name = name;
  }

  /** Its capabilities from the next link on. */
  ScriptedBackend announce(String json) {
    return introduce("{\"capabilities\":" + json + "}");
  }

  /** Its InitializeResult from the next link on. */
  ScriptedBackend introduce(String json) {
    initializeResult = json;
    return this;
  }

  /** One page with these items. */
  ScriptedBackend offer(ListKind kind, String... items) {
    return answer(kind, cursor -> page(kind, "", items));
  }

  /**
   * Answers with what {@code answer} makes of the cursor (JSON text, or empty): the text of the
   * member {@code result} or {@code error}, or {@link #SILENCE}.
   */
  ScriptedBackend answer(ListKind kind, UnaryOperator<String> answer) {
    script.put(kind.method(), answer);
    return this;
  }

  /** The result member of one page; {@code next}: the JSON text of the cursor, or empty. */
  static String page(ListKind kind, String next, String... items) {
    String list = "\"%s\":[%s]".formatted(kind.member(), String.join(",", items));
    return "\"result\":{" + list + (next.isEmpty() ? "" : ",\"nextCursor\":" + next) + "}";
  }

  /** Refuses links from now on; empty: accepts them again. */
  void refuse(String reason) {
    refusal = reason;
  }

  /** Leaves attempts to open a link without an answer. */
  void hold() {
    held = true;
  }

  /** Answers the attempts that are held. */
  void release() {
    held = false;
    holding.complete();
    holding = Promise.promise();
  }

  ScriptedLink link() {
    return links.get(links.size() - 1);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Future<Link> open(LinkRequest request) {
    heard.add("open");
    Promise<Void> ready = Promise.promise();
    vertx.runOnContext(ignored -> ready.complete());
    return ready
        .future()
        .compose(ignored -> held ? holding.future() : Future.succeededFuture())
        .compose(ignored -> opened(request));
  }

  private Future<Link> opened(LinkRequest request) {
    if (!refusal.isEmpty()) {
      return Future.failedFuture(new BackendFailure("backend_unavailable", refusal));
    }
    early.forEach(message -> request.listener().message(read(message)));
    links.add(new ScriptedLink(this, request, initializeResult.getBytes(UTF_8)));
    return Future.succeededFuture(link());
  }

  @Override
  public Future<Void> close() {
    return Future.join(links.stream().map(ScriptedLink::close).toList()).mapEmpty();
  }

  Vertx vertx() {
    return vertx;
  }

  String answer(String method, String cursor) {
    return script
        .getOrDefault(method, c -> "\"error\":{\"code\":-32601,\"message\":\"\"}")
        .apply(cursor);
  }

  static Envelope read(String json) {
    try {
      return new EnvelopeReader(new WireLimits(100, 100_000, 100, 100)).read(json.getBytes(UTF_8));
    } catch (MalformedMessage e) {
      throw new AssertionError(json, e);
    }
  }
}
