package io.fairlead.gateway.backend;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.config.BackendConfig;
import io.fairlead.gateway.config.CallTimeout;
import io.fairlead.gateway.config.EventBusTool;
import io.fairlead.gateway.observe.Metrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tools that consumers on the event bus serve: a request each, with the arguments as its body and
 * who asks in its headers. A consumer's reply is the result. The bus cannot take a request back:
 * one whose call has ended is waited for all the same, for a while.
 *
 * <p>Thread: owner loop. Owner: the gateway's verticle.
 */
public final class EventBusBackend implements Backend {
  /** What the bus is told when there is no deadline; it always needs one. */
  private static final Duration LONGEST = Duration.ofDays(365);

  /** The deadline is said by {@link DeadlineBackend}; then the bus may forget the request. */
  private static final Duration AFTER_DEADLINE = Duration.ofSeconds(1);

  /**
   * How long a consumer may be busy with what nobody waits for, and is asked for less meanwhile.
   */
  private static final Duration AFTER_CALL = Duration.ofMinutes(10);

  private final LocalBackend tools;
  private final BackendConfig.EventBus config;
  private final Vertx vertx;
  private final Duration patience;
  private Metrics metrics = Metrics.none();
  private final Duration afterCall;
  private final Set<EventBusRequest> pending = new HashSet<>();

  public EventBusBackend(String name, BackendConfig.EventBus config, Vertx vertx) {
    this(name, config, vertx, AFTER_CALL);
  }

  /**
   * @param afterCall how long a reply is waited for after its call was cancelled or lost
   */
  EventBusBackend(String name, BackendConfig.EventBus config, Vertx vertx, Duration afterCall) {
    this.config = config;
    this.vertx = vertx;
    this.afterCall = afterCall;
    this.patience = patience(config);
    this.tools = LocalBackend.named(name);
    config
        .tools()
        .forEach((tool, one) -> tools.tool(definition(tool, one), call -> send(tool, one, call)));
  }

  /** How long the bus waits for a reply. */
  static Duration patience(BackendConfig.EventBus config) {
    return config.callTimeout().map(CallTimeout::longest).map(AFTER_DEADLINE::plus).orElse(LONGEST);
  }

  private static String definition(String name, EventBusTool tool) {
    JsonObject definition =
        new JsonObject()
            .put("name", name)
            .put("description", tool.description())
            .put("inputSchema", new JsonObject(tool.inputSchema()));
    tool.outputSchema().ifPresent(json -> definition.put("outputSchema", new JsonObject(json)));
    tool.annotations().ifPresent(json -> definition.put("annotations", new JsonObject(json)));
    return definition.encode();
  }

  private Future<JsonObject> send(String name, EventBusTool tool, ToolCall call) {
    if (pending.size() >= config.maxPending()) {
      metrics.refused("max-pending");
      return lost(
          Outcome.State.NOT_DISPATCHED,
          "overloaded",
          "Nothing was done: max-pending="
              + config.maxPending()
              + " requests wait for their replies. Call again later.");
    }
    EventBusRequest request = new EventBusRequest(vertx, tool.address());
    long sent = System.nanoTime();
    Future<Message<Object>> reply = request.send(call.arguments(), options(name, tool, call));
    pending.add(request);
    call.onCancel(() -> request.abandon(afterCall));
    return reply
        .andThen(done -> pending.remove(request))
        .compose(message -> EventBusReply.result(message.body()))
        .recover(failure -> failed(tool, failure, Duration.ofNanos(System.nanoTime() - sent)));
  }

  private DeliveryOptions options(String name, EventBusTool tool, ToolCall call) {
    DeliveryOptions options = new DeliveryOptions().setSendTimeout(patience.toMillis());
    tool.headers().forEach(options::addHeader);
    Principal asker = call.principal();
    header(options, "tool", name);
    header(options, "issuer", asker.issuer());
    header(options, "subject", asker.subject());
    header(options, "client", asker.client());
    return options;
  }

  private static void header(DeliveryOptions options, String name, String value) {
    if (!value.isEmpty()) {
      options.addHeader(EventBusTool.RESERVED + name, value);
    }
  }

  private Future<JsonObject> failed(EventBusTool tool, Throwable failure, Duration waited) {
    if (!(failure instanceof ReplyException reply)) {
      return Future.failedFuture(failure);
    }
    return switch (reply.failureType()) {
      case RECIPIENT_FAILURE -> Future.failedFuture(EventBusReply.failure(reply));
      case NO_HANDLERS -> noConsumer(tool);
      // before its time: the consumer went away with the request unread
      case TIMEOUT -> waited.compareTo(patience) < 0 ? noConsumer(tool) : unknown();
      case ERROR -> unknown();
    };
  }

  private Future<JsonObject> noConsumer(EventBusTool tool) {
    return lost(
        Outcome.State.NOT_DISPATCHED,
        "no_consumer",
        "Nothing was done: there is no consumer at the event-bus address="
            + tool.address()
            + ". Deploy the verticle that serves it, or correct the address, and call again.");
  }

  private static Future<JsonObject> unknown() {
    return lost(
        Outcome.State.UNKNOWN,
        "backend_lost",
        "The event bus gave up on the reply. The action may or may not have happened. Check before"
            + " trying again.");
  }

  private static Future<JsonObject> lost(Outcome.State state, String reason, String text) {
    return Future.failedFuture(new CallLost(new Outcome(state, reason, text)));
  }

  /** Requests without a reply. */
  public int pending() {
    return pending.size();
  }

  public int pendingLimit() {
    return config.maxPending();
  }

  @Override
  public String name() {
    return tools.name();
  }

  @Override
  public void observe(Metrics counting) {
    metrics = counting;
    tools.observe(counting);
  }

  @Override
  public Future<Link> open(LinkRequest request) {
    return tools.open(request);
  }

  @Override
  public Future<Void> close() {
    return tools.close().andThen(done -> List.copyOf(pending).forEach(EventBusRequest::forget));
  }
}
