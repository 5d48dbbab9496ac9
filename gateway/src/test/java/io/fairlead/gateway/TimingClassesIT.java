package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whether the time of a refusal says more than its text. */
@Tag("soak")
class TimingClassesIT {
  private static final int TIMES = 10_000;
  private static final long CLASS_NANOS = 1_000_000;
  private static final String KEYS =
      """
      auth { mode = api-key, api-keys { alice = key-of-alice-0123456789, bob = key-of-bob-0123456789 } }
      sessions.idle-timeout = 1s
      """;

  @Test
  @DisplayName("lifecycle 45: unknown, expired, deleted and foreign ids take the same time")
  void sessionsThatAreNotOnesOwnTakeTheSameTime() throws Exception {
    String alice = "X-Api-Key: key-of-alice-0123456789";
    String bob = "X-Api-Key: key-of-bob-0123456789";
    try (TestGateway gateway = TestGateway.start(KEYS, new ScriptedBackend("demo"))) {
      Map<String, String> ids = new LinkedHashMap<>();
      ids.put("expired", McpSession.open(gateway.port(), "/mcp", "2025-11-25", alice).id);
      TestGateway.until("it expires", () -> gateway.holdings().sessions() == 0);
      McpSession deleted = McpSession.open(gateway.port(), "/mcp", "2025-11-25", alice);
      deleted.delete(alice).expect(204);
      ids.put("deleted", deleted.id);
      McpSession foreign = McpSession.open(gateway.port(), "/mcp", "2025-11-25", bob);
      // presence, so that it lives
      McpSocket stream = foreign.get(bob);
      assertEquals(200, stream.status());
      ids.put("foreign", foreign.id);
      ids.put("unknown", "A".repeat(foreign.id.length()));
      Map<String, List<Long>> nanos = measure(gateway.port(), ids, alice);
      List<Long> medians = new ArrayList<>();
      nanos.forEach(
          (kind, times) -> {
            Collections.sort(times);
            medians.add(times.get(TIMES / 2));
            System.out.printf("404 for %s: median us=%d%n", kind, times.get(TIMES / 2) / 1000);
          });
      assertTrue(Collections.max(medians) - Collections.min(medians) < CLASS_NANOS);
      stream.close();
    }
  }

  /** In turn, so that whatever else the machine does falls on all alike. */
  private static Map<String, List<Long>> measure(int port, Map<String, String> ids, String key)
      throws Exception {
    Map<String, List<Long>> nanos = new LinkedHashMap<>();
    ids.keySet().forEach(kind -> nanos.put(kind, new ArrayList<>()));
    try (KeptConnection client = new KeptConnection(port)) {
      for (int i = 0; i < TIMES; i++) {
        for (Map.Entry<String, String> id : ids.entrySet()) {
          String request = KeptConnection.request("DELETE", id.getValue() + "\r\n" + key, "");
          long from = System.nanoTime();
          int status = client.exchange(List.of(request)).get(0).status();
          nanos.get(id.getKey()).add(System.nanoTime() - from);
          assertEquals(404, status);
        }
      }
    }
    return nanos;
  }
}
