package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A stock stdio client drives the packaged bridge in front of the demo backend. */
@NeedsNode
class StdioClientIT {
  @Test
  void typeScriptClientUsesTheGatewayOverStdio() throws Exception {
    try (EmbeddedGateway gateway = EmbeddedGateway.start("");
        NodeProcess client =
            NodeProcess.start(
                "stdio.mjs",
                BridgeJarIT.JAVA,
                "-Xmx64m",
                "-jar",
                BridgeJarIT.JAR.toAbsolutePath(),
                gateway.url())) {
      List<String> said = client.awaitEnd(Duration.ofSeconds(40));
      assertEquals(0, client.exitCode(), client::output);
      JsonObject story = new JsonObject(said.get(said.size() - 1));
      assertTrue(story.getJsonArray("tools").contains("echo"), story::encode);
      assertEquals("h\u00e4\u00df \ud83d\ude00", story.getString("echo"));
      assertEquals(4, story.getInteger("ticks"));
      assertEquals(new JsonArray().add("may I?"), story.getJsonArray("asked"));
      assertEquals("cancelled", story.getString("ended"));
    }
  }
}
