package io.fairlead.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;

/** Fuzz target: the bytes of a JSON-RPC message (lifecycle 60 to 66, 120). */
class MessageFuzz {
  private static final int BATCH = 3;

  private final EnvelopeReader reader = new EnvelopeReader(new WireLimits(100, 10_000, 1000, 256));

  /** Whatever comes is read as others read it, or refused with a code. */
  @FuzzTest
  void messageIsReadAsOthersReadItOrRefused(byte[] bytes) {
    if (!isAboveLimit(bytes)) {
      JsonOracle.assertAgrees(reader, bytes);
    }
    try {
      check(reader.read(bytes), StrictJson.parse(bytes).orElseThrow());
    } catch (MalformedMessage refused) {
      assertTrue(refused.error().code() != 0);
    }
    try {
      assertTrue(reader.readBatch(bytes, BATCH).size() <= BATCH);
    } catch (MalformedMessage refused) {
      assertTrue(refused.error().code() != 0);
    }
  }

  /** Others have other limits. */
  private boolean isAboveLimit(byte[] bytes) {
    try {
      reader.validate(bytes);
      return false;
    } catch (MalformedMessage refused) {
      return refused.getMessage().startsWith("Message above the ");
    }
  }

  /** What is not spliced stays, and what is spliced is what was found. */
  private void check(Envelope message, JsonNode tree) {
    assertEquals(tree.path("method").asText(""), message.method());
    if (message.id().isPresent()) {
      assertArrayEquals(
          message.bytes(), message.withId(RpcId.of(7)).withId(message.id().get()).bytes());
    }
    message
        .name()
        .ifPresent(
            name ->
                assertTrue(
                    tree.findValuesAsText("name").contains(name)
                        || tree.findValuesAsText("uri").contains(name)));
  }
}
