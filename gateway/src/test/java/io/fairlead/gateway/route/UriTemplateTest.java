package io.fairlead.gateway.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Thread: any. */
class UriTemplateTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "test://template/{id}/data test://template/42/data",
        "test://template/{id}/data test://template/a%2Fb,c/data",
        "file:///{+path} file:///a/b/c.txt",
        "file:///{+path} file:///",
        "x://{a}/{b} x://1/2",
        "x://{a,b} x://1,2",
        "x://{a}-{b} x://1-2-3",
        "x://{a}{b} x://12",
        "x://{+a}/end x://1/end/end",
        "x://doc{#part} x://doc#two/a",
        "x://doc{#part} x://doc",
        "x://file{.ext} x://file.tar.gz",
        "x://root{/a,b} x://root/1/2",
        "x://root{/a,b} x://root/1",
        "x://root{/list*} x://root/1/2/3",
        "x://root{/list*}/end x://root/1/2/end",
        "x://m{;a,b} x://m;a=1;b=2",
        "x://q{?a,b} x://q?a=1&b=2",
        "x://q{?a,b} x://q",
        "x://q?fixed=1{&a} x://q?fixed=1&a=2",
        "{+all} anything://at/all",
        "x://{id:3} x://abc",
        "x://same x://same",
      })
  void templateMatchesWhenUriIsAnExpansion(String template, String uri) {
    assertTrue(UriTemplate.parse(template).orElseThrow().matches(uri));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "test://template/{id}/data test://template/42",
        "test://template/{id}/data test://template/4/2/data",
        "test://template/{id}/data other://template/42/data",
        "test://template/{id}/data test://template/42/data/",
        "x://root{/a,b} x://root/1/2/3",
        "x://root{/list*} x://root1",
        "x://doc{#part} x://docs",
        "x://q{?a} x://qa",
        "x://same x://sam",
        "x://same x://same2",
      })
  void templateDoesNotMatchWhenUriIsNoExpansion(String template, String uri) {
    assertFalse(UriTemplate.parse(template).orElseThrow().matches(uri));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x://{id", "x://id}", "x://{}", "x://{a,}", "x://{*}", "x://{a{b}}", "x://{=a}"})
  void templateIsRefusedWhenMalformed(String template) {
    assertTrue(UriTemplate.parse(template).isEmpty());
  }

  @Test
  void templateIsRefusedWhenTooLong() {
    assertTrue(UriTemplate.parse("x".repeat(1024)).isPresent());
    assertTrue(UriTemplate.parse("x".repeat(1025)).isEmpty());
  }

  @Test
  void nothingMatchesWhenUriIsTooLong() {
    UriTemplate all = UriTemplate.parse("{+all}").orElseThrow();
    assertTrue(all.matches("x".repeat(4096)));
    assertFalse(all.matches("x".repeat(4097)));
  }

  @Test
  void literalsAreCountedOutsideOfExpressions() {
    assertEquals(7, UriTemplate.parse("x://{a}/b{?c}/").orElseThrow().literals());
  }

  /** Nested quantifiers made other implementations take minutes (CVE-2026-0621). */
  @ParameterizedTest
  @ValueSource(strings = {"{/a*}", "{+a}", "{a}/", "{&a*}", "{+a}x", "{;a*,b*}", "xx{+a}"})
  void matchingTakesBoundedTimeWhenExpressionsRepeat(String expression) {
    String template = expression.repeat(1024 / expression.length());
    UriTemplate parsed = UriTemplate.parse(template).orElseThrow();
    for (String piece : new String[] {"/", "/a", "x", "a/", "&a=", ";"}) {
      String uri = piece.repeat(4095 / piece.length()) + "\n";
      assertTimeoutPreemptively(Duration.ofSeconds(2), () -> parsed.matches(uri));
    }
  }
}
