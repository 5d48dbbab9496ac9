package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.session.Session;
import io.fairlead.wire.Revision;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an idle session costs. The figure is printed, for docs/benchmarks.md. */
class SessionHeapIT {
  private static final int SESSIONS = 50_000;
  private static final int MAX_BYTES = 2048;
  private static final String PARAMS =
      "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"roots\":{\"listChanged\":true},"
          + "\"sampling\":{},\"elicitation\":{}},\"clientInfo\":{\"name\":\"a usual client\","
          + "\"title\":\"A usual client\",\"version\":\"1.2.3\"}}";

  @Test
  @DisplayName("an idle session takes two KiB of heap at most, and nothing after its end")
  void idleSessionIsSmall() throws Exception {
    try (TestGateway gateway =
        TestGateway.start("sessions.max = " + SESSIONS, new ScriptedBackend("demo"))) {
      open(gateway, 1_000);
      gateway.read(parts -> parts.sessions().closeAll("test"));
      long before = usedHeap();
      open(gateway, SESSIONS);
      long bytes = (usedHeap() - before) / SESSIONS;
      System.out.println("heap per idle session: " + bytes + " bytes");
      assertTrue(bytes <= MAX_BYTES, "bytes=" + bytes);
      assertEquals(SESSIONS, gateway.holdings().sessions());
      gateway.read(parts -> parts.sessions().closeAll("test"));
      long left = (usedHeap() - before) / SESSIONS;
      assertTrue(left <= MAX_BYTES / 20, "left behind by each: " + left);
    }
  }

  /** As a client does: each has its own params, and has said that it is initialized. */
  private static void open(TestGateway gateway, int count) {
    gateway.read(
        parts -> {
          for (int i = 0; i < count; i++) {
            Session.Start start =
                new Session.Start(
                    Principal.ANONYMOUS,
                    "",
                    Revision.V2025_11_25,
                    PARAMS.getBytes(StandardCharsets.UTF_8));
            parts
                .sessions()
                .open(start)
                .fold(
                    session -> {
                      parts.sessions().confirm(session);
                      return session;
                    },
                    limit -> {
                      throw new AssertionError(limit);
                    });
          }
          return count;
        });
  }

  private static long usedHeap() {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }
}
