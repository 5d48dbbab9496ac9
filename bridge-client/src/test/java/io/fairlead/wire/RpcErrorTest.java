package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Errors as messages. */
class RpcErrorTest {

  private static String text(RpcError error, RpcId id) {
    return new String(error.toMessage(Optional.ofNullable(id)), UTF_8);
  }

  @Test
  void reasonIsData() {
    assertEquals(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32001,\"message\":\"Gone\","
            + "\"data\":{\"reason\":\"session_unknown\"}}}",
        text(RpcError.of(RpcError.SESSION_UNKNOWN, "session_unknown", "Gone"), RpcId.of(1)));
  }

  @Test
  void absentIdIsNull() {
    assertEquals(
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"m\"}}",
        text(new RpcError(RpcError.PARSE, "m", Map.of()), null));
  }

  @Test
  void idGoesOutAsItCame() {
    RpcId id = RpcId.copyOf("\"\\u0061\"".getBytes(UTF_8), new Span(0, 8));
    assertEquals(
        "{\"jsonrpc\":\"2.0\",\"id\":\"\\u0061\",\"error\":{\"code\":1,\"message\":\"\"}}",
        text(new RpcError(1, "", Map.of()), id));
  }

  @Test
  void membersOfDataKeepTheirOrder() {
    Map<String, Object> inner = new LinkedHashMap<>();
    inner.put("z", List.of(1, "two"));
    inner.put("a", Map.of());
    RpcError error =
        RpcError.of(-1, "r", "m")
            .with("dispatched", false)
            .with("after", 5L)
            .with("outcome", inner)
            .with("a", "b");
    assertEquals(
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-1,\"message\":\"m\",\"data\":"
            + "{\"reason\":\"r\",\"dispatched\":false,\"after\":5,"
            + "\"outcome\":{\"z\":[1,\"two\"],\"a\":{}},\"a\":\"b\"}}}",
        text(error, RpcId.of(2)));
  }

  @Test
  void dataCannotBeChangedFromOutside() {
    Map<String, Object> data = new LinkedHashMap<>(Map.of("a", 1L));
    RpcError error = new RpcError(1, "m", data);
    data.put("b", 2L);
    assertEquals(Map.of("a", 1L), error.data());
    assertEquals(1, RpcError.of(1, "r", "m").data().size());
  }

  @Test
  void textIsEscaped() throws MalformedMessage {
    String nasty = "\"\\/\b\f\n\r\t\0\u001f\u007fé😀\ud800x\udc00\u2028";
    byte[] message = RpcError.of(1, nasty, nasty).toMessage(Optional.of(RpcId.of(nasty)));
    Envelope envelope = new EnvelopeReader(new WireLimits(9, 9, 9, 900)).read(message);
    String whole = nasty.replace('\ud800', '\ufffd').replace("x\udc00", "x\ufffd");
    assertEquals(whole, StrictJson.parse(message).orElseThrow().at("/error/message").textValue());
    Span text = Json.member(message, envelope.error().orElseThrow(), "message").orElseThrow();
    assertEquals(Optional.of(whole), Json.string(message, text));
  }
}
