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
    Integer number = message.body().getInteger("number");
    if (number == null) {
      message.fail(400, "Say which: number is missing.");
    } else {
      message.reply(new JsonObject().put("number", number).put("state", "paid"));
    }
  }
}
