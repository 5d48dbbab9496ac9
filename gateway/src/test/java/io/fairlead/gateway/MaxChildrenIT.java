package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The number of processes of a backend is bounded, however many sessions there are. */
class MaxChildrenIT {

  /** Writes down that it runs, and answers each request with the same result. */
  private static final String SERVER =
      """
      echo runs >> "$RUNS"
      while read -r line; do
        id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
        [ -z "$id" ] || printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25",\
      "capabilities":{"tools":{}},"tools":[{"name":"t","inputSchema":{"type":"object"}}],\
      "content":[],"serverInfo":{"name":"sh","version":"1"}}}\\n' "$id"
      done
      """;

  @TempDir private Path directory;

  @Test
  @DisplayName("lifecycle 38: above max-children a call is refused, and no process more is started")
  void callAboveMaxChildrenIsRefused() throws Exception {
    Path script = Files.writeString(directory.resolve("server.sh"), SERVER);
    Path runs = directory.resolve("runs");
    String backend =
        """
        backends.sh {
          type = stdio, command = ["sh", "%s"], env.RUNS = "%s", max-children = 2
        }
        """;
    try (TestGateway gateway = TestGateway.start(backend.formatted(script, runs))) {
      McpSession first = McpSession.open(gateway.port());
      assertTrue(answer(first).contains("\"content\":[]"));
      McpSession second = McpSession.open(gateway.port());
      String refused = answer(second);
      assertTrue(refused.contains("\"reason\":\"overloaded\""), refused);
      assertTrue(refused.contains("\"state\":\"not_dispatched\""), refused);
      assertTrue(refused.contains("max-children=2"), refused);
      // the gateway's own, which the lists are read from, and the first session's
      assertEquals(2, Files.readAllLines(runs).size());
      assertTrue(answer(first).contains("\"content\":[]"));
      first.delete().expect(204);
      TestGateway.until("a place is free", () -> answer(second).contains("\"content\":[]"));
      assertEquals(3, Files.readAllLines(runs).size());
    }
  }

  private static String answer(McpSession session) {
    try (McpSocket post = session.post(McpSession.call("1"))) {
      return post.message().data();
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }
}
