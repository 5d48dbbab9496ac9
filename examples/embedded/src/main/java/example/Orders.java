package example;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;

/** A service on the event bus that knows nothing of MCP. */
final class Orders extends VerticleBase {

  @Override
  public Future<?> start() {
    return vertx.eventBus().<JsonObject>consumer("orders.find", this::find).completion();
  }

  private void find(Message<JsonObject> message) {
    // clients may send anything; who throws here instead of failing leaves its caller waiting
    if (message.body().getValue("number") instanceof Integer number) {
      message.reply(new JsonObject().put("number", number).put("state", "paid"));
    } else {
      message.fail(400, "Say which: number must be an integer.");
    }
  }
}
