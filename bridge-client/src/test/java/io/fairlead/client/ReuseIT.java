package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioChannelOption;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections are reused only where that cannot run anything twice (streams 32, 33). */
class ReuseIT extends LinkBench {
  /** streams 32; field reports B42, B136: the server closes at the instant of reuse. */
  @Test
  void everyCallEndsWhenServerClosesAtTheInstantOfReuse() {
    raceForReuse(300);
  }

  @Test
  @Tag("soak")
  void everyCallEndsWhenServerClosesAtTheInstantOfReuseForLong() {
    raceForReuse(5000);
  }

  private void raceForReuse(int calls) {
    FaultyPeer.Script answerAndClose =
        (request, wire) -> {
          wire.json(McpPeer.result(request));
          wire.fin();
        };
    peer.onCall(answerAndClose);
    for (int i = 1; i <= calls; i++) {
      assertEquals("answer " + McpPeer.result("" + i), bed.tool(i).take());
      String read = bed.read(calls + i).take();
      assertEquals("answer " + McpPeer.result("" + (calls + i)), read);
    }
    assertEachRanOnce(peer.http.posts("tools/call"), calls);
  }

  private static void assertEachRanOnce(List<FaultyPeer.Request> posts, int calls) {
    assertEquals(calls, posts.size());
    Set<String> ids = posts.stream().map(FaultyPeer.Request::id).collect(Collectors.toSet());
    assertEquals(calls, ids.size());
  }

  /** streams 50: a connection that leads nowhere is noticed soon, also without native code. */
  @Test
  void connectionsAreKeptAliveInTheSystem() {
    HttpClientRequest request =
        bed.onLoop(() -> bed.transport.connect(Outgoing.health(), Map.of()));
    request.exceptionHandler(aborted -> {});
    ConnectionBase connection = (ConnectionBase) request.connection();
    ChannelConfig config = connection.channelHandlerContext().channel().config();
    assertEquals(true, config.getOption(ChannelOption.SO_KEEPALIVE));
    assertEquals(
        KeepAlive.IDLE_SECONDS,
        config.getOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE)));
    bed.run(() -> connection.channelHandlerContext().close());
  }

  /** Calls ask for a connection of their own; reads share one. */
  @Test
  void onlyReadsReuseConnections() {
    for (int i = 1; i <= 5; i++) {
      bed.tool(i).take();
      bed.read(10 + i).take();
    }
    peer.http
        .posts("tools/call")
        .forEach(post -> assertEquals(Optional.of("close"), post.header("Connection")));
    peer.http
        .posts("tools/list")
        .forEach(post -> assertEquals(Optional.empty(), post.header("Connection")));
    LinkBed.until(() -> peer.http.connections() <= 1);
  }

  /** streams 33: forty slow calls with notifications, and reads that pass between them. */
  @Test
  void slowCallsDoNotStarveAnything() {
    CountDownLatch allHere = new CountDownLatch(40);
    Set<String> answered = ConcurrentHashMap.newKeySet();
    peer.onCall(
        (request, wire) -> {
          if (request.calls("tools/list")) {
            McpPeer.answerWithResult(request, wire);
            return;
          }
          answerWhenAllAreHere(request, wire, allHere);
          answered.add(request.id());
        });
    List<CallRecorder> calls = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      calls.add(bed.tool(i));
    }
    calls.forEach(call -> assertTrue(call.take().startsWith("message ")));
    assertTrue(answered.isEmpty());
    assertEquals("answer " + McpPeer.result("100"), bed.read(100).take(Duration.ofSeconds(5)));
    allHere.countDown();
    for (int i = 1; i <= 40; i++) {
      assertEquals("answer " + McpPeer.result("" + i), calls.get(i - 1).take());
    }
  }

  private static void answerWhenAllAreHere(
      FaultyPeer.Request request, Wire wire, CountDownLatch allHere) throws IOException {
    wire.sse().event("a", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}");
    if (allHere.getCount() > 1) {
      allHere.countDown();
    }
    SessionIT.await(allHere);
    wire.event("b", McpPeer.result(request)).end();
  }

  /** A call above the bound of connections is refused at once; it does not wait for ever. */
  @Test
  void callIsNotDispatchedWhenThereAreTooManyConnections() {
    HttpLinkOptions few =
        new HttpLinkOptions(
            peer.http.url(),
            Credentials.fixed(java.util.Map.of()),
            Duration.ofSeconds(2),
            1 << 20,
            2,
            LinkBed.QUICK);
    peer.onCall((request, wire) -> wire.sse().chunk(": open\n\n").stall());
    try (LinkBed small = new LinkBed(few)) {
      LinkBed.until(() -> peer.http.gets().size() == 2 && peer.http.connections() == 0);
      small.tool(1);
      small.tool(2);
      LinkBed.until(() -> peer.http.posts("tools/call").size() == 2);
      assertEquals("lost NOT_DISPATCHED overloaded", small.tool(3).take());
      assertEquals(2, peer.http.posts("tools/call").size());
    }
  }
}
