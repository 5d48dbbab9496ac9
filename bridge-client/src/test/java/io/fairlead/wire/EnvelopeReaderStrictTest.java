package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is JSON and what is not, and the bounds. */
class EnvelopeReaderStrictTest {
  private final EnvelopeReader reader = new EnvelopeReader(new WireLimits(100, 10_000, 1000, 256));

  @TestFactory
  @DisplayName("lifecycle 60, 61, 63: what is not strict JSON is -32700 without an id")
  Stream<DynamicTest> refused() {
    return Corpus.of("refused.txt").entrySet().stream().map(this::refusedTest);
  }

  @TestFactory
  Stream<DynamicTest> accepted() {
    return Corpus.of("accepted.txt").entrySet().stream()
        .map(
            input ->
                DynamicTest.dynamicTest(
                    input.getKey(),
                    () -> {
                      reader.validate(input.getValue());
                      assertTrue(StrictJson.parse(input.getValue()).isPresent());
                    }));
  }

  private DynamicTest refusedTest(Map.Entry<String, byte[]> input) {
    return DynamicTest.dynamicTest(
        input.getKey(),
        () -> {
          MalformedMessage refusal =
              assertThrows(MalformedMessage.class, () -> reader.read(input.getValue()));
          assertEquals(RpcError.PARSE, refusal.error().code(), refusal.error().message());
          assertEquals(Map.of("reason", "malformed"), refusal.error().data());
          assertEquals(Optional.empty(), refusal.id());
          assertThrows(MalformedMessage.class, () -> reader.validate(input.getValue()));
          assertFalse(StrictJson.parse(input.getValue()).isPresent(), "the others take it");
        });
  }

  @Test
  @DisplayName("lifecycle 62: depth is bounded")
  void depthIsBounded() {
    accept("[".repeat(100) + "]".repeat(100));
    accept("{\"a\":".repeat(99) + "[]" + "}".repeat(99));
    assertNames("the limit depth=100", "[".repeat(101) + "]".repeat(101));
    assertNames("the limit depth=100", "{\"a\":".repeat(100_000));
    assertNames("the limit depth=100", "[".repeat(100_000));
    accept("[" + "[[]],".repeat(500) + "1]");
  }

  @Test
  @DisplayName("lifecycle 62: members and elements are bounded")
  void membersAreBounded() {
    accept(members(10_000));
    accept("[" + "1,".repeat(9_999) + "1]");
    assertNames("fixed limit members=10000", members(10_001));
    assertNames("fixed limit members=10000", members(1_000_000));
    assertNames("fixed limit members=10000", "[" + "1,".repeat(10_000) + "1]");
  }

  @Test
  @DisplayName("lifecycle 62: the characters of a number are bounded")
  void digitsAreBounded() {
    accept("1".repeat(1000));
    accept("-1." + "0".repeat(997));
    assertNames("fixed limit digits=1000", "1".repeat(1001));
    assertNames("fixed limit digits=1000", "-" + "1".repeat(1000));
    assertNames("fixed limit digits=1000", "1e" + "1".repeat(999));
    assertNames("fixed limit digits=1000", "[0." + "0".repeat(100_000) + "]");
  }

  @Test
  @DisplayName("lifecycle 66: an id up to the bound is taken, a longer one is not echoed")
  void idIsBounded() throws MalformedMessage {
    String longest = "\"" + "x".repeat(254) + "\"";
    assertEquals(Optional.of(RpcId.of("x".repeat(254))), reader.read(request(longest)).id());
    String digits = "1".repeat(256);
    assertEquals(digits, reader.read(request(digits)).id().orElseThrow().toString());
    for (String id : new String[] {"\"" + "x".repeat(255) + "\"", "1".repeat(257), big()}) {
      MalformedMessage refusal =
          assertThrows(MalformedMessage.class, () -> reader.read(request(id)));
      assertEquals(RpcError.INVALID_REQUEST, refusal.error().code());
      assertEquals(Optional.empty(), refusal.id());
      assertTrue(refusal.error().message().contains("256"), refusal.error().message());
    }
  }

  @Test
  @DisplayName("what is held while a call runs is bounded as its id is")
  void tokenAndMethodAreBounded() throws MalformedMessage {
    for (String token : new String[] {"\"" + "x".repeat(254) + "\"", "1".repeat(256)}) {
      assertTrue(reader.read(withToken(token)).progressToken().isPresent());
    }
    for (String token : new String[] {"\"" + "x".repeat(255) + "\"", "1".repeat(257)}) {
      assertTooLong("progressToken", withToken(token));
    }
    String longest = "m".repeat(254);
    assertEquals(longest, reader.read(withMethod(longest)).method());
    assertTooLong("method", withMethod(longest + "m"));
    // no token: nobody holds it, or says it again
    String other = "[\"" + "x".repeat(300) + "\"]";
    assertEquals(Optional.empty(), reader.read(withToken(other)).progressToken());
  }

  private static byte[] withToken(String token) {
    String params = ",\"params\":{\"_meta\":{\"progressToken\":" + token + "}}}";
    return ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\"" + params).getBytes(UTF_8);
  }

  private static byte[] withMethod(String method) {
    return ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\"}").getBytes(UTF_8);
  }

  private void assertTooLong(String what, byte[] message) {
    MalformedMessage refusal = assertThrows(MalformedMessage.class, () -> reader.read(message));
    assertEquals(RpcError.INVALID_REQUEST, refusal.error().code());
    assertEquals(Optional.of(RpcId.of(7)), refusal.id());
    String text = refusal.error().message();
    assertTrue(text.contains(what) && text.contains("256"), text);
  }

  @Test
  void readerIsUsableAfterARefusal() throws MalformedMessage {
    assertThrows(MalformedMessage.class, () -> reader.read("{\"id\":1,{".getBytes(UTF_8)));
    assertThrows(MalformedMessage.class, () -> reader.read("{\"id\":1,\"id\":2".getBytes(UTF_8)));
    assertEquals(Optional.of(RpcId.of(7)), reader.read(request("7")).id());
  }

  /** So many names that the hashes of some are equal. */
  @Test
  void namesAreComparedAndNotTheirHashes() {
    EnvelopeReader wide = new EnvelopeReader(new WireLimits(400_000, 400_000, 1000, 256));
    String nested = "{\"a\":".repeat(400_000) + "1" + "}".repeat(400_000);
    assertDoesNotThrow(() -> wide.validate(members(400_000).getBytes(UTF_8)));
    assertDoesNotThrow(() -> wide.validate(nested.getBytes(UTF_8)));
  }

  private void accept(String json) {
    assertDoesNotThrow(() -> reader.validate(json.getBytes(UTF_8)));
  }

  private void assertNames(String limit, String json) {
    MalformedMessage refusal =
        assertThrows(MalformedMessage.class, () -> reader.read(json.getBytes(UTF_8)));
    assertEquals(RpcError.PARSE, refusal.error().code());
    assertTrue(refusal.error().message().contains(limit), refusal.error().message());
  }

  private static byte[] request(String id) {
    return ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"ping\"}").getBytes(UTF_8);
  }

  private static String big() {
    return "\"" + "x".repeat(1 << 20) + "\"";
  }

  private static String members(int count) {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < count; i++) {
      json.append(i == 0 ? "\"" : ",\"").append(i).append("\":1");
    }
    return json.append('}').toString();
  }
}
