package io.fairlead.bridge;

import io.fairlead.client.CallRequest;
import io.fairlead.client.HttpLink;
import io.fairlead.client.Outcome;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests that the server has been given and has not answered: each is answered to the client
 * once, under the client's own id, even where it uses one id for several.
 *
 * <p>Thread: owner loop. Owner: {@link Bridge}.
 */
final class BridgeCalls implements BridgeCall.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(BridgeCalls.class);

  private final StdoutWriter out;
  private final ToolFilter tools;
  private final String instance;
  private final Consumer<Envelope> messages;
  private final Runnable whenOneEnded;
  private final Set<BridgeCall> calls = new LinkedHashSet<>();
  private long ownIds;

  /**
   * @param instance names this process in outcomes
   * @param messages told what the server says of a call before it answers
   */
  BridgeCalls(
      StdoutWriter out,
      ToolFilter tools,
      String instance,
      Consumer<Envelope> messages,
      Runnable whenOneEnded) {
    this.out = out;
    this.tools = tools;
    this.instance = instance;
    this.messages = messages;
    this.whenOneEnded = whenOneEnded;
  }

  void begin(HttpLink link, Envelope message) {
    RpcId id = message.id().orElseThrow();
    boolean taken = calls.stream().anyMatch(call -> call.wireId().equals(id));
    RpcId wireId = taken ? RpcId.of("fairlead-bridge-" + ++ownIds) : id;
    BridgeCall call = new BridgeCall(message, wireId, this);
    calls.add(call);
    CallRequest request = new CallRequest(call.bytes(), wireId, message.method(), Map.of());
    call.dispatched(link.call(request, call));
    if (out.isFull()) {
      call.pause();
    }
  }

  /** Cancels all that the client gave this id; nothing more is said of them. */
  void cancel(RpcId id, String reason) {
    for (BridgeCall call : List.copyOf(calls)) {
      if (call.id().equals(id)) {
        calls.remove(call);
        call.cancel(reason);
      }
    }
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  void pause() {
    calls.forEach(BridgeCall::pause);
  }

  void resume() {
    calls.forEach(BridgeCall::resume);
  }

  @Override
  public void message(Envelope message) {
    messages.accept(message);
  }

  @Override
  public void ended(BridgeCall call, Envelope answer) {
    calls.remove(call);
    boolean lists = call.method().equals(Methods.TOOLS_LIST);
    out.write(lists ? tools.filter(answer) : answer.bytes());
    whenOneEnded.run();
  }

  @Override
  public void lost(BridgeCall call, Outcome outcome) {
    LOG.warn("A call has no answer: method={} reason={}", call.method(), outcome.reason());
    calls.remove(call);
    out.write(outcome.toMessage(call.id(), call.method(), instance));
    whenOneEnded.run();
  }
}
