package io.fairlead.bridge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.wire.RpcId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Finds the id of a message that cannot be read, or says that it did not (streams 46). */
class MessageIdTest {
  private static Optional<RpcId> find(String head, String tail) {
    return MessageId.find(head.getBytes(UTF_8), tail.getBytes(UTF_8));
  }

  @Test
  void idIsFoundInFrontOfTheParams() {
    assertEquals(
        Optional.of(RpcId.of(7)),
        find("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"params\":{\"id\":8", "\"}}"));
    assertEquals(
        Optional.of(RpcId.of("a\"b")),
        find("{ \"method\" : \"x\", \"jsonrpc\":\"2.0\", \"id\" : \"a\\\"b\" ,", "}"));
  }

  @Test
  void idIsFoundAtTheEnd() {
    String head = "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"id\":8,\"y\":\"";
    assertEquals(Optional.of(RpcId.of(9)), find(head, "yyy\"},\"id\":9}"));
    assertEquals(Optional.of(RpcId.of(9)), find(head, "yyy\"},\"id\":9,\"jsonrpc\":\"2.0\"}"));
  }

  @Test
  void idOfAnotherObjectIsNotTaken() {
    String head = "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"id\":8,\"y\":\"";
    assertEquals(Optional.empty(), find(head, "yyy\"},\"more\":1}"));
  }

  @Test
  void idIsFoundBehindWhatCannotBeRead() {
    String fault = "{\"method\":\"x\",\"params\":{\"a\":1,\"a\":\"\u0001},\\q\",\"id\":8},";
    assertEquals(Optional.of(RpcId.of(9)), find(fault + "\"id\":9,\"x\":1}", ""));
    assertEquals(Optional.of(RpcId.of("\u00e4")), find(fault + "\"id\":\"\u00e4\",\"x\":1}", ""));
  }

  @Test
  void idThatIsNoJsonIsNotEchoed() {
    for (String id : new String[] {"\"\\q\"", "\"\t\"", "01", "\"\\u12\"", "1.5", "null", "{}"}) {
      String message = "{\"id\":" + id + ",\"method\":\"x\"}";
      assertEquals(Optional.empty(), find(message, message), id);
    }
    byte[] latin = "{\"id\":\"\u00e4\",\"method\":\"x\"}".getBytes(ISO_8859_1);
    assertEquals(Optional.empty(), MessageId.find(latin, latin));
  }

  @Test
  void answersAreToldFromRequests() {
    assertTrue(
        isAnswer("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"method\":1,\"a\":1,\"a\":2}}"));
    assertTrue(isAnswer("{\"error\":{\"cod"));
    assertFalse(isAnswer("{\"id\":1,\"params\":{\"result\":1,\"a\":1,\"a\":2},\"method\":\"x\"}"));
    assertFalse(isAnswer("{\"method\":\"result\",\"result\":1}"));
    assertFalse(isAnswer("{\"id\":1,}"));
  }

  private static boolean isAnswer(String head) {
    return MessageId.isAnswer(head.getBytes(UTF_8));
  }
}
