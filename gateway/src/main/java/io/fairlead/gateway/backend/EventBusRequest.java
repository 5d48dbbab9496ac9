package io.fairlead.gateway.backend;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.Optional;

/**
 * One request on the event bus, which waits for its reply however long that takes. The bus cannot
 * take it back, and a consumer that threw never replies; so once nobody wants the reply, it is
 * given one from here, and the bus forgets it.
 *
 * <p>Thread: owner loop. Owner: {@link EventBusBackend}.
 */
final class EventBusRequest {
  private final Vertx vertx;
  private final String address;
  private Optional<String> replyAddress = Optional.empty();
  private long timer = -1;
  private boolean replied;

  EventBusRequest(Vertx vertx, String address) {
    this.vertx = vertx;
    this.address = address;
  }

  /**
   * Completes with the reply, on the owner loop; fails as the bus says, or as its consumer does.
   */
  Future<Message<Object>> send(Object body, DeliveryOptions options) {
    Thread sender = Thread.currentThread();
    // the one way to learn the address: others that send meanwhile do so on threads of their own
    Handler<DeliveryContext<Object>> noting =
        sent -> {
          if (Thread.currentThread() == sender && sent.message().address().equals(address)) {
            replyAddress = Optional.ofNullable(sent.message().replyAddress());
          }
          sent.next();
        };
    vertx.eventBus().addOutboundInterceptor(noting);
    try {
      return vertx.eventBus().request(address, body, options).andThen(done -> replied());
    } finally {
      vertx.eventBus().removeOutboundInterceptor(noting);
    }
  }

  private void replied() {
    replied = true;
    vertx.cancelTimer(timer);
  }

  /** Nobody waits for the reply any more: it has this long to come all the same. */
  void abandon(Duration patience) {
    if (!replied) {
      timer = vertx.setTimer(patience.toMillis(), fired -> forget());
    }
  }

  /** Has the bus forget it. Idempotent. */
  void forget() {
    if (!replied) {
      vertx.cancelTimer(timer);
      DeliveryOptions here = new DeliveryOptions().setLocalOnly(true);
      replyAddress.ifPresent(to -> vertx.eventBus().send(to, null, here));
    }
  }
}
