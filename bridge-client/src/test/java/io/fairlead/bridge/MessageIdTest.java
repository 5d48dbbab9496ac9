package io.fairlead.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fairlead.wire.RpcId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Finds the id of a message that is too long, or says that it did not (streams 46). */
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
}
