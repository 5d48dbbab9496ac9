package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.fairlead.gateway.StormProxy.Fate;
import io.fairlead.gateway.StormProxy.Fault;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The bridge behind a proxy that now and then answers in the gateway's place. */
class ForgedStatusIT {
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger resumes = new AtomicInteger();

  /** The call's connection is reset, then two resumes are answered by the proxy. */
  private Fate fate(String head) {
    if (ByteCutter.call(head) > 0) {
      calls.incrementAndGet();
      return new Fate(Fault.RST, false, 0, 0);
    }
    boolean resume = head.toLowerCase(Locale.ROOT).contains("last-event-id");
    return resume && resumes.incrementAndGet() <= 2
        ? new Fate(Fault.STATUS_404, false, 0, 0)
        : Fate.NONE;
  }

  @Test
  @DisplayName("streams 31, 37: what a proxy says to a resume is not what became of the call")
  void callIsAnsweredWhenProxyRefusesItsResumes() throws Exception {
    ScriptedBackend backend = new ScriptedBackend("scripted");
    try (TestGateway gateway = TestGateway.start("", backend);
        StormProxy proxy = new StormProxy(gateway.port(), this::fate);
        BridgeProcess bridge = BridgeProcess.ready(proxy.port())) {
      bridge.send(McpSession.call("1"));
      OpenCall call = backend.nextCall();
      TestGateway.until("two were forged", () -> resumes.get() >= 2);
      call.answer("kept");
      String answer = bridge.answer(1).encode();
      assertTrue(answer.contains("kept"), answer);
      assertEquals(1, calls.get());
      assertTrue(backend.isQuiet());
      assertEquals(1, gateway.holdings().sessions());
    }
  }
}
