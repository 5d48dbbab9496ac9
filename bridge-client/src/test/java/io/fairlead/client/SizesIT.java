package io.fairlead.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.wire.RpcId;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large messages pass up to the bound; above it only their own call fails (streams 24). */
class SizesIT {
  private static final String NOTE = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}";

  private McpPeer peer;

  @BeforeEach
  void open() throws Exception {
    peer = new McpPeer();
  }

  @AfterEach
  void close() throws Exception {
    peer.close();
  }

  private static String large(int bytes) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"" + "x".repeat(bytes) + "\"}}";
  }

  private LinkBed bed(int maxMessage) {
    return new LinkBed(
        new HttpLinkOptions(
            peer.http.url(),
            Credentials.fixed(Map.of()),
            Duration.ofSeconds(2),
            maxMessage,
            100,
            LinkBed.QUICK));
  }

  /** field report B112: one data line of 1, 8 and 32 MiB, in time that grows with it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8, 32})
  void largeEventArrivesWhole(int mebibytes) {
    String answer = large(mebibytes << 20);
    byte[] bytes = ("data: " + answer + "\n\n").getBytes(UTF_8);
    peer.onCall((request, wire) -> wire.sse().chunk(bytes).end());
    try (LinkBed bed = bed(33 << 20)) {
      String told = bed.tool(1).take(Duration.ofSeconds(20));
      assertEquals("answer ".length() + answer.length(), told.length());
    }
  }

  @Test
  void largeJsonArrivesWhole() {
    String answer = large(8 << 20);
    peer.onCall((request, wire) -> wire.json(answer));
    try (LinkBed bed = bed(9 << 20)) {
      assertEquals("answer " + answer, bed.tool(1).take(Duration.ofSeconds(20)));
    }
  }

  /** field report B115: above the bound its own call fails; the link and other calls live. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void callIsLostWhenMessageIsTooLarge(boolean stream) {
    String answer = large(100_000);
    peer.onCall(
        (request, wire) -> wire.sse().event("o", NOTE).stall(),
        (request, wire) -> {
          if (stream) {
            wire.sse().chunk("id: x\ndata: " + answer + "\n\n").stall();
          } else {
            wire.json(answer).stall();
          }
        },
        McpPeer::answerWithResult);
    try (LinkBed bed = bed(50_000)) {
      CallRecorder other = bed.tool(7);
      assertEquals("message " + NOTE, other.take());
      CallRecorder call = bed.tool(1);
      assertEquals("lost UNKNOWN too_large", call.take());
      assertTrue(call.outcome().text().contains("max-message=50000"), call.outcome().text());
      assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
      assertTrue(other.takeAll().isEmpty());
    }
  }

  /** lifecycle 105: an endless body of a refusal is not read to its end. */
  @Test
  void endlessRefusalIsCutOff() {
    peer.onCall(
        (request, wire) -> {
          wire.raw("HTTP/1.1 400 X\r\nTransfer-Encoding: chunked\r\n\r\n");
          while (true) {
            wire.chunk(new byte[10_000]);
          }
        });
    try (LinkBed bed = bed(1 << 20)) {
      assertTrue(bed.tool(1).take().contains("refused the request: status=400"));
      LinkBed.until(() -> peer.http.connections() == 0);
    }
  }

  /** The same for one that says nothing. */
  @Test
  void silentRefusalIsCutOff() {
    peer.onCall((request, wire) -> wire.raw("HTTP/1.1 500 X\r\nContent-Length: 9\r\n\r\n").stall());
    try (LinkBed bed = bed(1 << 20)) {
      assertEquals("lost UNKNOWN backend_lost", bed.tool(1).take());
      LinkBed.until(() -> peer.http.connections() == 0);
    }
  }

  /** streams 30: writing is bounded, and a server that takes no bytes does not hold up a close. */
  @Test
  void callIsLostWhenServerTakesNoBytes() {
    try (LinkBed bed = bed(1 << 20)) {
      String head = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"a\":\"";
      byte[] message = (head + "x".repeat(FaultyPeer.STUCK_ABOVE) + "\"}}").getBytes(UTF_8);
      CallRecorder call = new CallRecorder();
      CallRequest request = new CallRequest(message, RpcId.of(1), "tools/call", Map.of());
      bed.run(() -> bed.link.call(request, call));
      LinkBed.until(() -> peer.http.connections() == 1);
      assertEquals("lost UNKNOWN backend_lost", call.take());
      assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
      long closing = System.nanoTime();
      bed.onLoop(bed.link::close);
      bed.onLoop(bed.transport::close);
      Duration closed = Duration.ofNanos(System.nanoTime() - closing);
      assertTrue(closed.compareTo(Duration.ofSeconds(5)) < 0, "closed=" + closed);
    }
  }
}
