package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The standalone stream: opened once if it is offered, and again at a bounded rate. */
class StandaloneIT {
  private static final String CHANGED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}";

  private McpPeer peer;

  @BeforeEach
  void open() throws Exception {
    peer = new McpPeer();
  }

  @AfterEach
  void close() throws Exception {
    peer.close();
  }

  private static String next(LinkBed bed) throws InterruptedException {
    return bed.messages.poll(10, TimeUnit.SECONDS);
  }

  /** A stream that is not offered is asked for once, and nothing loops. */
  @ParameterizedTest
  @ValueSource(ints = {204, 302, 400, 404, 405, 406, 501})
  void streamIsLeftAloneWhenItIsNotOffered(int status) {
    peer.onListen((request, wire) -> wire.respond(status, "", ""));
    try (LinkBed bed = new LinkBed(peer.http.url())) {
      LinkBed.until(() -> peer.http.gets().size() == 1);
      for (int i = 1; i <= 5; i++) {
        assertEquals("answer " + McpPeer.result("" + i), bed.tool(i).take());
      }
      assertEquals(1, peer.http.gets().size());
      assertEquals(0, peer.http.posts("ping").size());
      assertEquals(1, peer.http.posts("initialize").size());
    }
  }

  /** Messages outside of calls arrive; after a cut it goes on after the last of them. */
  @Test
  void streamIsOpenedAgainAfterItsLastEvent() throws Exception {
    peer.onListen(
            (request, wire) -> {
              wire.sse().event("n1", CHANGED).event("n2", McpPeer.result("1"));
              wire.rst();
            })
        .onResume(
            (request, wire) -> wire.sse().event("n3", CHANGED).event("n4", "{broken").end(),
            (request, wire) -> wire.sse().event("n5", CHANGED).stall());
    try (LinkBed bed = new LinkBed(peer.http.url())) {
      assertEquals(CHANGED, next(bed));
      assertEquals(CHANGED, next(bed));
      assertEquals(CHANGED, next(bed));
      assertEquals(
          List.of(Optional.empty(), Optional.of("n2"), Optional.of("n4")),
          peer.http.gets().stream().map(get -> get.header("Last-Event-ID")).toList());
      assertEquals(List.of(), List.copyOf(bed.messages));
    }
  }

  /** field report B54: accepting and closing at once is no success. */
  @Test
  void streamThatEndsAtOnceBacksOff() {
    peer.onListen((request, wire) -> wire.sse().end());
    try (LinkBed bed = new LinkBed(peer.http.url())) {
      LinkBed.until(() -> peer.http.gets().size() >= 6);
      List<FaultyPeer.Request> gets = peer.http.gets();
      long spanMillis = (gets.get(5).nanos() - gets.get(0).nanos()) / 1_000_000;
      assertTrue(spanMillis >= 20 + 40 + 80 + 160 + 160 - 5, "span=" + spanMillis);
      assertEquals("answer " + McpPeer.result("1"), bed.tool(1).take());
    }
  }

  /** What may pass is tried again; what will not is left alone. */
  @Test
  void streamIsGivenUpWhenServerNoLongerOffersIt() {
    peer.onListen(
        (request, wire) -> wire.sse().end(),
        (request, wire) -> wire.respond(503, "", ""),
        (request, wire) -> wire.respond(409, "", ""),
        (request, wire) -> wire.respond(405, "", ""));
    try (LinkBed bed = new LinkBed(peer.http.url())) {
      LinkBed.until(() -> peer.http.gets().size() == 4);
      for (int i = 1; i <= 5; i++) {
        assertEquals("answer " + McpPeer.result("" + i), bed.tool(i).take());
      }
      assertEquals(4, peer.http.gets().size());
    }
  }

  /** The server's questions come here too, and are answered by a POST. */
  @Test
  void questionIsAnswered() throws Exception {
    String question = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\"}";
    peer.onListen((request, wire) -> wire.sse().event("q", question).stall());
    try (LinkBed bed = new LinkBed(peer.http.url())) {
      assertEquals(question, next(bed));
      bed.onLoop(() -> bed.link.post(McpPeer.result("5").getBytes()));
      assertTrue(peer.http.requests().stream().anyMatch(r -> r.body().equals(McpPeer.result("5"))));
    }
  }
}
