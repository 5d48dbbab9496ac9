package example;

import io.fairlead.gateway.GatewayVerticle;
import io.fairlead.gateway.backend.LocalBackend;
import io.fairlead.gateway.backend.ToolCall;
import io.fairlead.gateway.backend.ToolFailure;
import io.fairlead.gateway.backend.ToolResult;
import io.fairlead.gateway.config.ConfigLoader;
import io.fairlead.gateway.config.GatewayConfig;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** A shop with a page of its own, and MCP tools beside it on the same port. */
public final class Shop extends VerticleBase {

  /** Reads no file, so it may be called anywhere; ConfigLoader.load reads one, and blocks. */
  private static GatewayConfig settings() {
    return ConfigLoader.parse(
            """
            backends {
              shop { type = local }
              orders {
                type = event-bus
                tools.find {
                  address = "orders.find"
                  description = "Finds an order by its number."
                  input-schema { properties { number { type = integer } }, required = [number] }
                }
              }
            }
            """)
        .orElseThrow();
  }

  private final GatewayVerticle gateway = GatewayVerticle.mounted(settings(), List.of(tools()));

  public static void main(String[] arguments) {
    Vertx vertx = Vertx.vertx();
    vertx
        .deployVerticle(new Orders())
        .compose(deployed -> vertx.deployVerticle(new Shop()))
        .onFailure(
            failure -> {
              System.err.println(failure.getMessage());
              vertx.close();
            });
  }

  @Override
  public Future<?> start() throws Exception {
    Router router = Router.router(vertx);
    router.get("/").handler(page -> page.end("The shop is open."));
    return gateway
        .deploy(context) // on the event loop of this verticle, whose server is made below
        .compose(
            deployed -> {
              gateway.mount(router);
              gateway.mountHealth(router);
              router.route().handler(BodyHandler.create(false)); // behind the gateway's routes
              return vertx
                  .createHttpServer()
                  .requestHandler(router)
                  .listen(Integer.getInteger("shop.port", 8080), "127.0.0.1");
            })
        .onSuccess(
            server ->
                System.out.println("listening http://127.0.0.1:" + server.actualPort() + "/mcp"));
  }

  @Override
  public Future<?> stop() throws Exception {
    return gateway.undeploy(context);
  }

  private LocalBackend tools() {
    return LocalBackend.named("shop")
        .version("1")
        .tool("pack", "Packs so many items.", schema("items"), this::pack)
        .tool("refund", "Refunds an order, if the user agrees.", schema("number"), this::refund)
        .tool("stock", "Counts what is in stock.", schema("shelf"), this::stock);
  }

  private static JsonObject schema(String number) {
    return new JsonObject()
        .put("type", "object")
        .put(
            "properties",
            new JsonObject().put(number, new JsonObject().put("type", "integer")));
  }

  /** Clients may send anything: what cannot be read is said to them. */
  private static int number(ToolCall call, String name) {
    if (call.arguments().getValue(name) instanceof Integer number) {
      return number;
    }
    throw new ToolFailure(name + " must be an integer.");
  }

  private Future<JsonObject> pack(ToolCall call) {
    call.log("info", "shop", "packing for " + call.principal().subject());
    return pack(call, 1, number(call, "items"));
  }

  /** Says how far it is, and stops when nobody waits for it any more. */
  private Future<JsonObject> pack(ToolCall call, int item, int items) {
    if (item > items || call.isCancelled()) {
      return Future.succeededFuture(ToolResult.text("packed " + (item - 1)));
    }
    call.progress(item, OptionalDouble.of(items), "packing");
    return vertx
        .timer(200, TimeUnit.MILLISECONDS)
        .compose(waited -> pack(call, item + 1, items));
  }

  private Future<JsonObject> refund(ToolCall call) {
    JsonObject question =
        new JsonObject()
            .put("message", "Refund order " + number(call, "number") + "?")
            .put(
                "requestedSchema",
                new JsonObject().put("type", "object").put("properties", new JsonObject()));
    return call.elicit(question)
        .map(
            answer -> {
              if (!"accept".equals(answer.getString("action"))) {
                throw new ToolFailure("The user did not agree. Nothing was refunded.");
              }
              return ToolResult.text("refunded");
            });
  }

  /** What blocks goes to a worker: the event loop serves everybody. */
  private Future<JsonObject> stock(ToolCall call) {
    return vertx.executeBlocking(Shop::count, false).map(ToolResult::structured);
  }

  private static JsonObject count() {
    return new JsonObject().put("items", 42);
  }
}
