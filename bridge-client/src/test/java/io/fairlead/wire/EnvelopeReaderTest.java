package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.wire.Envelope.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a message is, and where its parts stand. */
class EnvelopeReaderTest {
  private static final WireLimits LIMITS = new WireLimits(100, 10_000, 1000, 256);

  private final EnvelopeReader reader = new EnvelopeReader(LIMITS);

  private Envelope read(String message) throws MalformedMessage {
    return reader.read(message.getBytes(UTF_8));
  }

  private MalformedMessage refused(String message) {
    return assertThrows(MalformedMessage.class, () -> read(message));
  }

  private static Optional<String> at(Envelope envelope, Optional<Span> span) {
    return span.map(s -> new String(Json.copy(envelope.bytes(), s), UTF_8));
  }

  @Test
  void requestIsReadWithItsParts() throws MalformedMessage {
    byte[] bytes =
        ("{\"params\":{\"arguments\":{\"name\":\"no\"},\"_meta\":{\"progressToken\":7},"
                + "\"name\":\"a\\u0062\"} , \"id\" : \"x\" ,\"jsonrpc\":\"2.0\","
                + "\"method\":\"tools/call\"}")
            .getBytes(UTF_8);
    Envelope envelope = reader.read(bytes);
    assertSame(bytes, envelope.bytes());
    assertEquals(Kind.REQUEST, envelope.kind());
    assertEquals(Optional.of(RpcId.of("x")), envelope.id());
    assertEquals(Optional.of("\"x\""), at(envelope, envelope.idSpan()));
    assertEquals("tools/call", envelope.method());
    assertEquals(Optional.of("ab"), envelope.name());
    assertEquals(Optional.of("\"a\\u0062\""), at(envelope, envelope.nameSpan()));
    assertEquals(Optional.of("7"), at(envelope, envelope.progressToken()));
    assertTrue(at(envelope, envelope.params()).orElseThrow().startsWith("{\"arguments\""));
    assertEquals(Optional.empty(), envelope.result());
    assertEquals(Optional.empty(), envelope.error());
    assertEquals(Optional.empty(), envelope.cancelledId());
  }

  @Test
  void membersAreFoundUnderEscapedNames() throws MalformedMessage {
    Envelope envelope =
        read(
            "{\"jsonrpc\":\"2.0\",\"\\u0069d\":1,\"m\\u0065thod\":\"tools/call\","
                + "\"params\":{\"n\\u0061me\":\"t\"}}");
    assertEquals(Optional.of(RpcId.of(1)), envelope.id());
    assertEquals(Optional.of("t"), envelope.name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"tools/call", "initialize", "ping", "x", "tasks/get", "notification"})
  @DisplayName("lifecycle 65: what clients send without an id is a notification by its method")
  void requestOfAClientNeedsAnId(String method) {
    EnvelopeReader clients = EnvelopeReader.ofClients(LIMITS);
    String message = "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\"}";
    byte[] bytes = message.getBytes(UTF_8);
    byte[] batch = ("[" + message + "]").getBytes(UTF_8);
    for (MalformedMessage refused :
        List.of(
            assertThrows(MalformedMessage.class, () -> clients.read(bytes)),
            assertThrows(MalformedMessage.class, () -> clients.readBatch(batch, 9)))) {
      assertEquals(RpcError.INVALID_REQUEST, refused.error().code());
      assertTrue(refused.error().message().endsWith("a request needs an id"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "tools/call,true",
    "ping,true",
    "tasks/get,true",
    "notifications/x,false",
    "codex/event,false",
    "ping/x,false",
    "tools,false",
  })
  void backendsMayNotifyOfWhatNobodyKnows(String method, boolean lacksId) throws MalformedMessage {
    String message = "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\"";
    assertEquals(lacksId, read(message + "}").lacksId());
    assertEquals(false, read(message + ",\"id\":1}").lacksId());
  }

  @Test
  void kindsAreTold() throws MalformedMessage {
    assertEquals(Kind.NOTIFICATION, read("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}").kind());
    Envelope result = read("{\"jsonrpc\":\"2.0\",\"id\":-5,\"result\":{\"a\":1}}");
    assertEquals(Kind.RESULT, result.kind());
    assertTrue(result.isResponse());
    assertEquals("", result.method());
    assertEquals(Optional.of("{\"a\":1}"), at(result, result.result()));
    Envelope error =
        read("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-1,\"message\":\"m\"}}");
    assertEquals(Kind.ERROR, error.kind());
    assertEquals(Optional.empty(), error.id());
    assertEquals(Optional.empty(), error.idSpan());
    assertEquals(
        Kind.ERROR, read("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"\"}}").kind());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "1",
        "null",
        "\"x\"",
        "{\"jsonrpc\":\"2.0\",\"id\":1}",
        "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"x\"}",
        "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"x\"}",
        "{\"id\":1,\"method\":\"x\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":[]}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":null}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"error\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{\"code\":1,\"message\":\"\"}}",
        "{\"jsonrpc\":\"2.0\",\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":[]}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1.5,\"message\":\"\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":\"1\",\"message\":\"\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":null}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"message\":\"\"}}",
      })
  @DisplayName("lifecycle 66: JSON that is not one JSON-RPC message is -32600")
  void shapeIsRefused(String message) {
    MalformedMessage refusal = refused(message);
    assertEquals(RpcError.INVALID_REQUEST, refusal.error().code());
    assertEquals("malformed", refusal.error().data().get("reason"));
    Optional<RpcId> id = message.contains("\"id\":1") ? Optional.of(RpcId.of(1)) : Optional.empty();
    assertEquals(id, refusal.id());
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "true", "{}", "[1]", "1.0", "1e2", "1E2", "-0.5"})
  @DisplayName("lifecycle 66: ids that are no string and no integer are -32600, never echoed")
  void idIsRefused(String id) {
    for (String rest : List.of("\"method\":\"x\"", "\"result\":{}")) {
      MalformedMessage refusal = refused("{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + rest + "}");
      assertEquals(RpcError.INVALID_REQUEST, refusal.error().code());
      assertEquals(Optional.empty(), refusal.id());
    }
  }

  @Test
  @DisplayName("lifecycle 65: a batch is read element by element, up to its limit")
  void batchIsRead() throws MalformedMessage {
    byte[] batch =
        (" [ {\"jsonrpc\":\"2.0\",\"method\":\"x\"} , {\"jsonrpc\":\"2.0\",\"id\":3,"
                + "\"method\":\"tools/call\",\"params\":{\"name\":\"n\"}} ] ")
            .getBytes(UTF_8);
    assertTrue(EnvelopeReader.isBatch(batch));
    List<Envelope> messages = reader.readBatch(batch, 2);
    assertEquals(2, messages.size());
    assertArrayEquals(
        "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}".getBytes(UTF_8), messages.get(0).bytes());
    assertEquals(Optional.of("3"), at(messages.get(1), messages.get(1).idSpan()));
    assertEquals(Optional.of("n"), messages.get(1).name());
    assertThrows(MalformedMessage.class, () -> reader.readBatch(batch, 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        " [ ] ",
        "[1]",
        "[[]]",
        "[null]",
        "{}",
        "1",
        "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"},{\"jsonrpc\":\"2.0\",\"id\":1}]",
      })
  @DisplayName("lifecycle 65: a batch that is empty or holds something else is -32600")
  void batchOfWrongShapeIsRefused(String batch) {
    assertEquals(RpcError.INVALID_REQUEST, batchRefused(batch).error().code());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[",
        "[,]",
        "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}",
        "[{}",
        "[{]",
        "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"},]",
        "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"} {}]",
        "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}} ",
        "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]x",
      })
  void batchThatIsNotJsonIsRefused(String batch) {
    MalformedMessage refusal = batchRefused(batch);
    boolean shape = batch.equals("[{}");
    assertEquals(shape ? RpcError.INVALID_REQUEST : RpcError.PARSE, refusal.error().code());
  }

  private MalformedMessage batchRefused(String batch) {
    byte[] bytes = batch.getBytes(UTF_8);
    return assertThrows(MalformedMessage.class, () -> reader.readBatch(bytes, 100));
  }

  @Test
  @DisplayName("streams 46: the id of a message that is cut is found if it came before")
  void idOfABeginningIsFound() {
    assertEquals(Optional.of(RpcId.of(7)), idOf("{\"jsonrpc\":\"2.0\",\"id\":7,\"params\":{\"a"));
    assertEquals(Optional.of(RpcId.of("x")), idOf("{\"id\":\"x\",oops"));
    assertEquals(Optional.empty(), idOf("{\"params\":{\"id\":7},\"id\":"));
    assertEquals(Optional.empty(), idOf("{\"id\":1.5,"));
    assertEquals(Optional.empty(), idOf("{\"id\":null,"));
    assertEquals(Optional.empty(), idOf("[{\"id\":7},"));
    assertEquals(Optional.empty(), idOf("{\"id\":12"));
    assertEquals(Optional.of(RpcId.of(12)), idOf("{\"id\":12 "));
    assertEquals(Optional.empty(), idOf(""));
  }

  private Optional<RpcId> idOf(String beginning) {
    return reader.idOf(beginning.getBytes(UTF_8));
  }
}
