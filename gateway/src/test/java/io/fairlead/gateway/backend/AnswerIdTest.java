package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fairlead.wire.RpcId;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which call an unreadable answer was for. */
class AnswerIdTest {

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":7,\"result\":{\"te",
        "{\"jsonrpc\":\"2.0\" , \"id\" : 7 , \"error\":",
        "{\"result\":{\"id\":5,\"x\":[{\"id\":6}]},\"id\":7}",
        "{\"x\":\"\\\"id\\\":5,{\",\"id\":7}",
        "{\"x\":\"\u00ff\u00fe\",\"id\":7}",
      })
  void idIsFoundFromTheStart(String head) {
    assertEquals(Optional.of(RpcId.of(7)), AnswerId.atStart(bytes(head)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not JSON \"id\":7",
        "{\"id\":\"7\",\"result\":{}}",
        "{\"id\":7",
        "{\"id\":77777777777777777777777,\"result\":1}",
        "{\"result\":{\"id\":7}}",
        "{\"method\":\"ping\",\"id\":7}",
        "{\"result\":\"endless",
        "[{\"id\":7,\"result\":1}]",
      })
  void nothingIsFoundFromTheStart(String head) {
    assertEquals(Optional.empty(), AnswerId.atStart(bytes(head)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"xx\"},\"id\":7}", "}, \"id\" : 7 } \r", "]}}},\"id\":7}"})
  void idIsFoundAtTheEnd(String tail) {
    assertEquals(Optional.of(RpcId.of(7)), AnswerId.atEnd(bytes(tail)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"id\":7}}", "\\\"id\":7}", "\"id\":\"7\"}", "\"id\":7,\"x\":1}", "\"id\":7"})
  void nothingIsFoundAtTheEnd(String tail) {
    assertEquals(Optional.empty(), AnswerId.atEnd(bytes(tail)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"result\":{\"x\":", "{\"jsonrpc\":\"2.0\",\"error\":{"})
  void answerIsKnownByItsHead(String head) {
    assertEquals(true, AnswerId.isAnswer(bytes(head)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"method\":\"x\",\"result\":", "{\"params\":{\"result\":1", "{\"id\":1,\"p"})
  void otherMessagesAreNotTakenForAnswers(String head) {
    assertEquals(false, AnswerId.isAnswer(bytes(head)));
  }
}
