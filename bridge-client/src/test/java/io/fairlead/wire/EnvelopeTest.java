package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which value is the name, the progress token and the cancelled id, by the method. */
class EnvelopeTest {
  private static final String PARAMS =
      "{'name':'n','uri':'u','ref':{'type':'%s','name':'rn','uri':'ru'},"
          + "'requestId':8,'progressToken':'p','_meta':{'progressToken':'mp','name':'x'},"
          + "'arguments':{'name':'x','uri':'x','requestId':1,'ref':{'name':'x'}}}";

  private final EnvelopeReader reader = new EnvelopeReader(new WireLimits(100, 10_000, 1000, 40));

  private Envelope read(String head, String params) throws MalformedMessage {
    String message = "{'jsonrpc':'2.0'," + head + ",'params':" + params + "}";
    return reader.read(message.replace('\'', '"').getBytes(UTF_8));
  }

  private static Optional<String> text(Envelope envelope, Optional<Span> span) {
    return span.map(at -> new String(Json.copy(envelope.bytes(), at), UTF_8).replace('"', '\''));
  }

  @ParameterizedTest
  @CsvSource({
    "tools/call, n",
    "prompts/get, n",
    "resources/read, u",
    "resources/subscribe, u",
    "resources/unsubscribe, u",
    "notifications/resources/updated, u",
    "tools/list,",
    "completion/completes,",
    "initialize,"
  })
  void nameIsChosenByTheMethod(String method, String name) throws MalformedMessage {
    Envelope envelope = read("'id':1,'method':'" + method + "'", PARAMS);
    assertEquals(Optional.ofNullable(name), envelope.name());
    assertEquals(
        Optional.ofNullable(name).map(n -> "'" + n + "'"), text(envelope, envelope.nameSpan()));
  }

  @ParameterizedTest
  @CsvSource({"ref/prompt, rn", "ref/resource, ru", "x, rn"})
  void nameOfACompletionIsChosenByTheReference(String type, String name) throws MalformedMessage {
    String params = String.format(PARAMS, type);
    assertEquals(Optional.of(name), read("'id':1,'method':'completion/complete'", params).name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "null", "true", "['n']", "{'name':'n'}"})
  void nameThatIsNoStringIsNone(String name) throws MalformedMessage {
    Envelope envelope = read("'id':1,'method':'tools/call'", "{'name':" + name + "}");
    assertEquals(Optional.empty(), envelope.name());
    assertEquals(Optional.empty(), envelope.nameSpan());
  }

  @ParameterizedTest
  @CsvSource({
    "'id':1~'method':'tools/call', 'mp'",
    "'id':'x'~'method':'notifications/progress', 'mp'",
    "'method':'notifications/progress', 'p'",
    "'method':'notifications/cancelled',",
    "'id':1~'result':{},",
  })
  void progressTokenIsChosenByTheKind(String head, String token) throws MalformedMessage {
    String plain = head.replace('~', ',');
    Envelope envelope = read(plain, PARAMS);
    assertEquals(
        Optional.ofNullable(token).map(t -> "'" + t + "'"),
        text(envelope, envelope.progressToken()).map(t -> t));
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "1.5", "1e3", "''", "'t'"})
  void progressTokenIsAStringOrANumber(String token) throws MalformedMessage {
    Envelope envelope =
        read("'id':1,'method':'x'", "{'_meta':{'progressToken':" + quoted(token) + "}}");
    assertEquals(Optional.of(quoted(token)), text(envelope, envelope.progressToken()));
  }

  private static String quoted(String token) {
    return token.isEmpty() || token.equals("t") ? "'" + token + "'" : token;
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "true", "[1]", "{'a':1}"})
  void progressTokenThatIsNothingElseIsNone(String token) throws MalformedMessage {
    String params = "{'_meta':{'progressToken':" + token + "},'progressToken':" + token + "}";
    assertEquals(Optional.empty(), read("'id':1,'method':'x'", params).progressToken());
    assertEquals(
        Optional.empty(), read("'method':'notifications/progress'", params).progressToken());
  }

  @ParameterizedTest
  @ValueSource(strings = {"8", "-0", "'8'", "''"})
  void cancelledIdIsAnId(String id) throws MalformedMessage {
    Envelope envelope = read("'method':'notifications/cancelled'", "{'requestId':" + id + "}");
    assertEquals(Optional.of(id), text(envelope, envelope.cancelledId()));
    Envelope other = read("'method':'notifications/other'", "{'requestId':" + id + "}");
    assertEquals(Optional.empty(), other.cancelledId());
  }

  @Test
  void cancelReasonIsATextOfALengthToBeRead() throws MalformedMessage {
    assertEquals(Optional.of("enough"), cancelReason("cancelled", "'enough'"));
    assertEquals(1000, cancelReason("cancelled", "'" + "x".repeat(1000) + "'").get().length());
    assertEquals(Optional.empty(), cancelReason("cancelled", "'" + "x".repeat(1001) + "'"));
    assertEquals(Optional.empty(), cancelReason("cancelled", "7"));
    assertEquals(Optional.empty(), cancelReason("other", "'enough'"));
  }

  private Optional<String> cancelReason(String notification, String reason)
      throws MalformedMessage {
    String head = "'method':'notifications/" + notification + "'";
    return read(head, "{'requestId':1,'reason':" + reason + "}").cancelReason();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "1.5",
        "{}",
        "'one more byte than is allowed in an id.'",
        "12345678901234567890123456789012345678901"
      })
  void cancelledIdThatIsNoIdIsNone(String id) throws MalformedMessage {
    Envelope envelope = read("'method':'notifications/cancelled'", "{'requestId':" + id + "}");
    assertEquals(Optional.empty(), envelope.cancelledId());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{'_meta':[{'progressToken':1}]}", "{'_meta':{'x':{'progressToken':1}}}"})
  void onlyTheExactPathCounts(String params) throws MalformedMessage {
    assertEquals(Optional.empty(), read("'id':1,'method':'x'", params).progressToken());
  }
}
