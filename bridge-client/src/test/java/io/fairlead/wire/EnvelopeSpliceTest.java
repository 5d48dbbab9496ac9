package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A message under another id or token is what reading it again would give. */
class EnvelopeSpliceTest {
  private final EnvelopeReader reader = new EnvelopeReader(new WireLimits(100, 100, 100, 256));

  private static Optional<String> at(Envelope envelope, Optional<Span> span) {
    return span.map(s -> new String(Json.copy(envelope.bytes(), s), UTF_8));
  }

  private static void assertSameParts(Envelope expected, Envelope actual) {
    assertEquals(expected.kind(), actual.kind());
    assertEquals(expected.id(), actual.id());
    assertEquals(expected.method(), actual.method());
    assertEquals(expected.idSpan(), actual.idSpan());
    assertEquals(expected.params(), actual.params());
    assertEquals(expected.result(), actual.result());
    assertEquals(expected.error(), actual.error());
    assertEquals(expected.name(), actual.name());
    assertEquals(expected.nameSpan(), actual.nameSpan());
    assertEquals(expected.progressToken(), actual.progressToken());
  }

  @Test
  void idIsSplicedAndSpansMoveWithIt() throws MalformedMessage {
    String message = "{\"id\":%s,\"result\":{\"a\":[1]},\"jsonrpc\":\"2.0\"}";
    String[] ids = {"1", "\"1\"", "0", "\"\"", "-7", "9007199254740993", "\"é\\u00e9 \\\"x\""};
    for (String from : ids) {
      for (String to : ids) {
        Envelope original = reader.read(String.format(message, from).getBytes(UTF_8));
        byte[] expected = String.format(message, to).getBytes(UTF_8);
        Envelope spliced = original.withId(RpcId.copyOf(to.getBytes(UTF_8), whole(to)));
        assertEquals(new String(expected, UTF_8), new String(spliced.bytes(), UTF_8));
        assertSameParts(reader.read(expected), spliced);
      }
    }
  }

  private static Span whole(String text) {
    return new Span(0, text.getBytes(UTF_8).length);
  }

  @Test
  void tokenIsSplicedWhereverItStands() throws MalformedMessage {
    String request =
        "{\"params\":{\"name\":\"n\",\"_meta\":{\"progressToken\":%s,\"x\":1},\"arguments\":{}},"
            + "\"id\":5,\"method\":\"tools/call\",\"jsonrpc\":\"2.0\"}";
    String progress =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
            + "{\"progress\":1,\"progressToken\":%s,\"message\":\"m\"}}";
    for (String template : new String[] {request, progress}) {
      for (String to : new String[] {"2", "12345678", "\"a long token\""}) {
        Envelope original = reader.read(String.format(template, "11").getBytes(UTF_8));
        Envelope spliced = original.withProgressToken(to.getBytes(UTF_8));
        assertEquals(Optional.of(to), at(spliced, spliced.progressToken()));
        assertSameParts(reader.read(String.format(template, to).getBytes(UTF_8)), spliced);
      }
    }
  }
}
