package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Finding and writing; that what is found agrees with Jackson is shown by the fuzz test. */
class JsonTest {

  private static Optional<String> member(String json, String key) {
    byte[] bytes = json.getBytes(UTF_8);
    return Json.member(bytes, new Span(0, bytes.length), key).map(span -> text(bytes, span));
  }

  private static List<String> elements(String json) {
    byte[] bytes = json.getBytes(UTF_8);
    return Json.elements(bytes, new Span(0, bytes.length)).stream()
        .map(span -> text(bytes, span))
        .toList();
  }

  private static String text(byte[] bytes, Span span) {
    return new String(Json.copy(bytes, span), UTF_8);
  }

  @Test
  void memberIsFoundWithoutWhatIsAround() {
    String json = "{ \"a\" : [ 1, {\"b\":2} ] ,\"b\":\"}\\\"\",\"c\":-1.5e3 , \"d\":{} }";
    assertEquals(Optional.of("[ 1, {\"b\":2} ]"), member(json, "a"));
    assertEquals(Optional.of("\"}\\\"\""), member(json, "b"));
    assertEquals(Optional.of("-1.5e3"), member(json, "c"));
    assertEquals(Optional.of("{}"), member(json, "d"));
    assertEquals(Optional.empty(), member(json, "e"));
  }

  @Test
  void memberIsFoundByItsDecodedName() {
    assertEquals(Optional.of("1"), member("{\"\\u0061\\/\":1}", "a/"));
    assertEquals(Optional.empty(), member("{\"a\\\\\":1}", "a"));
  }

  @Test
  void halvesOfSurrogatePairsAreTexts() throws MalformedMessage {
    String json = "{\"\\ud83e\":1,\"\\ud83d\":\"a\\ude00\\n\\ud83d\"}";
    assertEquals(Optional.of("1"), member(json, "\ud83e"));
    assertEquals(Optional.empty(), member(json, "\ufffd"));
    byte[] value = member(json, "\ud83d").orElseThrow().getBytes(UTF_8);
    String text = Json.string(value, new Span(0, value.length)).orElseThrow();
    assertEquals("a\ude00\n\ud83d", text);
    assertEquals("\"a\\ude00\\n\\ud83d\"", new String(Json.quote(text), UTF_8));
    assertEquals("\"a\ufffd\\n\ufffd\"", new String(Json.write(text), UTF_8));
    new EnvelopeReader(WireLimits.WIDE).validate(Json.quote(text));
  }

  @Test
  void onlyAnObjectHasMembers() {
    for (String json : new String[] {"[]", "1", "\"{}\"", "null", "{}", "{ }"}) {
      assertEquals(Optional.empty(), member(json, ""));
    }
  }

  @Test
  void elementsAreFound() {
    assertEquals(
        List.of("1", "\"],\"", "[[2] , 3]", "{\"a\":[]}", "true"),
        elements("[1,\"],\" , [[2] , 3],{\"a\":[]}\n,true ]"));
    assertEquals(List.of(), elements("[ ]"));
    assertEquals(List.of(), elements("{\"a\":1}"));
  }

  @Test
  void spanMayStandAnywhere() {
    byte[] bytes = "xx{\"a\":1}yy".getBytes(UTF_8);
    assertEquals(Optional.of(new Span(7, 8)), Json.member(bytes, new Span(2, 9), "a"));
  }

  @Test
  void onlyAStringIsAString() {
    byte[] bytes = "\"a\\n\" 12".getBytes(UTF_8);
    assertEquals(Optional.of("a\n"), Json.string(bytes, new Span(0, 5)));
    assertEquals(Optional.empty(), Json.string(bytes, new Span(6, 8)));
  }

  @Test
  void quotedTextIsReadBack() {
    String all = "\"\\/\u0000\u001f\u0020é€😀\uffff";
    byte[] bytes = Json.quote(all);
    assertEquals(Optional.of(all), Json.string(bytes, new Span(0, bytes.length)));
    assertEquals("\"\\\"\\\\/\\u0000\\u001f é€😀\uffff\"", new String(bytes, UTF_8));
  }

  @Test
  void valueOfAnotherTypeIsNotWritten() {
    assertThrows(IllegalArgumentException.class, () -> Json.write(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> Json.write(List.of(new Object())));
  }
}
