package io.fairlead.gateway.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which URIs a template stands for. */
class UriTemplateTest {

  private static Optional<Map<String, String>> match(String template, String uri) {
    return new UriTemplate(template).match(uri);
  }

  @Test
  void variableStandsForAPartWithoutSlash() {
    assertEquals(Optional.of(Map.of("id", "7")), match("test://t/{id}/data", "test://t/7/data"));
    assertEquals(Optional.empty(), match("test://t/{id}/data", "test://t/7/8/data"));
    assertEquals(Optional.empty(), match("test://t/{id}/data", "test://t//data"));
  }

  @Test
  void reservedVariableStandsForAnything() {
    assertEquals(Optional.of(Map.of("path", "a/b.txt")), match("f://{+path}", "f://a/b.txt"));
  }

  @Test
  void restOfTheTemplateIsLiteral() {
    assertEquals(Optional.empty(), match("a.b?c={x}", "aXb?c=1"));
    assertEquals(Optional.of(Map.of("x", "1")), match("a.b?c={x}", "a.b?c=1"));
  }

  @Test
  void valuesAreDecoded() {
    assertEquals(
        Optional.of(Map.of("a", "x y", "b", "1+2%")), match("t:{a}-{b}", "t:x%20y-1+2%25"));
    assertEquals(Optional.of(Map.of("a", "100%")), match("t:{a}", "t:100%"));
  }
}
