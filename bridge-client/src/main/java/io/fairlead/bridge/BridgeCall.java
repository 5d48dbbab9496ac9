package io.fairlead.bridge;

import io.fairlead.client.Dispatch;
import io.fairlead.client.DispatchListener;
import io.fairlead.client.Outcome;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.RpcId;
import java.util.Optional;

/**
 * One request of the client: it ends with exactly one answer, or with the client's cancel.
 *
 * <p>Thread: owner loop. Owner: {@link BridgeCalls}.
 */
final class BridgeCall implements DispatchListener {
  /** Told on the owner loop. */
  interface Listener {
    void message(Envelope message);

    /** The call has ended; {@code answer} is for the client. */
    void ended(BridgeCall call, Envelope answer);

    /** The call has ended without an answer of the server. */
    void lost(BridgeCall call, Outcome outcome);
  }

  private final Envelope request;
  private final RpcId wireId;
  private final Listener listener;
  private Optional<Dispatch> dispatch = Optional.empty();

  /**
   * @param wireId the id towards the server, the client's own unless another call in flight has it
   */
  BridgeCall(Envelope request, RpcId wireId, Listener listener) {
    this.request = request;
    this.wireId = wireId;
    this.listener = listener;
  }

  RpcId id() {
    return request.id().orElseThrow();
  }

  RpcId wireId() {
    return wireId;
  }

  String method() {
    return request.method();
  }

  /** What to send. */
  byte[] bytes() {
    return wireId.equals(id()) ? request.bytes() : request.withId(wireId).bytes();
  }

  void dispatched(Dispatch handedOver) {
    dispatch = Optional.of(handedOver);
  }

  /** Nothing is told after this. */
  void cancel(String reason) {
    dispatch.ifPresent(sent -> sent.cancel(reason));
  }

  void pause() {
    dispatch.ifPresent(Dispatch::pause);
  }

  void resume() {
    dispatch.ifPresent(Dispatch::resume);
  }

  @Override
  public void message(Envelope message) {
    listener.message(message);
  }

  @Override
  public void answer(Envelope response) {
    listener.ended(this, wireId.equals(id()) ? response : response.withId(id()));
  }

  @Override
  public void lost(Outcome outcome) {
    listener.lost(this, outcome);
  }
}
