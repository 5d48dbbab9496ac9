package io.fairlead.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fairlead.client.Outcome;
import io.fairlead.wire.RpcId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference-errors.md} is what {@link Refusals}, {@link SessionRefusals} and the
 * sources say, with the advice of {@link ErrorAdvice}. Refresh with {@code mvn -pl gateway -am test
 * -Dtest=ErrorsDocumentTest -Ddocs.write=true -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class ErrorsDocumentTest {
  private static final Path DOCUMENT = Path.of("../docs/reference-errors.md");
  private static final String HEAD =
      """
      # Error reference

      Generated from `Refusals.java`, `SessionRefusals.java` and the advice in `ErrorAdvice.java`, by `ErrorsDocumentTest`: change it there.

      Whatever the gateway does not do, it says in one of three ways:

      * **It refuses the HTTP request**: a status of 4xx or 5xx, and a JSON-RPC error as body. Nothing was run, except where the table
        says otherwise.
      * **A request is wrong, or its backend says no**: status 200, and a JSON-RPC error in place of the result.
      * **A call was accepted, and no answer can come any more**: status 200, and an *outcome* in place of the result.

      Programs decide by `error.data.reason`, or by `_meta."io.fairlead/outcome"`; texts are for people and may change. A refusal:

      ```json
      %s
      ```
      """;
  private static final String ERRORS =
      """

      ## JSON-RPC errors with status 200

      Errors of a backend are passed on as they are, with codes and data of its own. These are the gateway's:

      | code | `reason` | when, and what to do |
      |---|---|---|
      """;
  private static final String OUTCOMES =
      """

      ## Outcomes

      For `tools/call` an outcome is a result that a model can read; for every other method it is a JSON-RPC error with code -32603, the
      same text, and the same object as `data`:

      ```json
      %s
      ```

      `state` is what is known, `retryable` is true exactly if it is certain that nothing ran, `instance` is the run of the gateway that
      says so (`Fairlead-Instance`). The gateway itself never sends a call again.

      | `state` | `reason` | when, and what to do |
      |---|---|---|
      """;

  @Test
  void documentSaysWhatTheSourcesSay() throws IOException {
    StringBuilder text =
        new StringBuilder(HEAD.formatted(body(ErrorAdvice.sample("sessionUnknown"))));
    ErrorAdvice.REFUSALS.forEach((section, advice) -> refusals(section, advice, text));
    text.append(ERRORS);
    ErrorAdvice.ERRORS.forEach((code, does) -> row(text, code.replace(" ", "` | `"), does));
    text.append(OUTCOMES.formatted(outcome()));
    ErrorAdvice.OUTCOMES.forEach((state, does) -> row(text, state.replace(" ", "` | `"), does));
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(DOCUMENT, text);
    }
    assertEquals(Files.readString(DOCUMENT), text.toString());
  }

  @Test
  void everyRefusalHasItsAdvice() {
    Set<String> advised =
        ErrorAdvice.REFUSALS.values().stream()
            .flatMap(section -> section.keySet().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(ErrorAdvice.catalogue(), advised);
  }

  @Test
  void everyOutcomeAndErrorInTheSourcesHasItsAdvice() throws IOException {
    assertEquals(SourceReasons.outcomes(), new TreeSet<>(ErrorAdvice.OUTCOMES.keySet()));
    assertEquals(SourceReasons.errors(), new TreeSet<>(ErrorAdvice.ERRORS.keySet()));
  }

  private static void refusals(String section, Map<String, String> advice, StringBuilder text) {
    text.append("\n## ").append(section).append("\n\n");
    text.append("| status | code | `reason` | text | what to do |\n|---|---|---|---|---|\n");
    advice.forEach(
        (name, does) -> {
          Refusal refusal = ErrorAdvice.sample(name);
          String said =
              Stream.concat(
                      Stream.of(refusal.error().message()),
                      refusal.headers().entrySet().stream()
                          .map(header -> "`" + header.getKey() + ": " + header.getValue() + "`"))
                  .collect(Collectors.joining("<br>"));
          text.append(
              "| %d | %d | `%s` | %s | %s |\n"
                  .formatted(
                      refusal.status(), refusal.error().code(), refusal.reason(), said, does));
        });
  }

  private static void row(StringBuilder text, String keys, String does) {
    text.append("| `%s` | %s |\n".formatted(keys, does));
  }

  private static String outcome() {
    Outcome sample = Outcome.unknown("backend_lost", "The connection to the backend was lost.");
    return text(sample.toMessage(RpcId.of(7), "tools/call", "Vh3cOBBI1Rk0rgvS"));
  }

  private static String body(Refusal refusal) {
    return text(refusal.error().toMessage(Optional.of(RpcId.of(7))));
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }
}
