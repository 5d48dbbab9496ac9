package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How fast sessions open while others live. The figures are printed, for docs/benchmarks.md. */
@Tag("soak")
class SessionRateIT {
  private static final int LIVE = 100_000;
  private static final int STEP = 1_000;
  private static final int AT_ONCE = 100;
  private static final int SHOWN = 10_000;

  @Test
  @DisplayName("opening a session costs the same among 1,000 and among 100,000")
  void openingCostsTheSameAmongMany() throws Exception {
    List<String> requests =
        Collections.nCopies(
            AT_ONCE, KeptConnection.request("POST", "", McpSession.initialize("2025-11-25")));
    double few = 0;
    try (TestGateway gateway =
            TestGateway.start(
                "sessions { max = %d, initialized-timeout = 1h }".formatted(2 * LIVE),
                new ScriptedBackend("demo"));
        KeptConnection client = new KeptConnection(gateway.port())) {
      for (int warm = 0; warm < 3 * SHOWN; warm += AT_ONCE) {
        client.exchange(requests);
      }
      gateway.read(parts -> parts.sessions().closeAll("test"));
      TestGateway.until("warm", () -> gateway.holdings().sessions() == 0);
      double best = 0;
      for (int live = 0; live < LIVE; live += STEP) {
        long from = System.nanoTime();
        for (int opened = 0; opened < STEP; opened += AT_ONCE) {
          client.exchange(requests).forEach(answer -> assertEquals(200, answer.status()));
        }
        best = Math.max(best, STEP * 1e9 / (System.nanoTime() - from));
        if ((live + STEP) % SHOWN == 0) {
          System.out.printf("sessions live=%d: best rate=%.0f per second%n", live + STEP, best);
          few = few == 0 ? best : few;
          assertTrue(best > few / 2, "rate among few=" + few + " among " + live + "=" + best);
          best = 0;
        }
      }
      assertEquals(LIVE, gateway.holdings().sessions());
    }
  }
}
