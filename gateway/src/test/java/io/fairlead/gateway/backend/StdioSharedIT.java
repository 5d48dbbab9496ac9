package io.fairlead.gateway.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One child behind several links ({@code scope = shared}). */
class StdioSharedIT extends StdioBench {
  private final LinkRecorder firstListener = new LinkRecorder();
  private final LinkRecorder secondListener = new LinkRecorder();
  private Link first;
  private Link second;

  @BeforeEach
  void openTwo() {
    firstListener.takeAll();
    secondListener.takeAll();
    start(StdioFixture.scripted("normal").withShared());
    List<Link> both =
        loop.await(
            () ->
                Future.all(opening(firstListener), opening(secondListener))
                    .map(all -> List.<Link>of(all.resultAt(0), all.resultAt(1))));
    first = both.get(0);
    second = both.get(1);
  }

  @Test
  void allLinksHaveTheSameChild() {
    assertEquals(pid(first), pid(second));
    assertEquals(1, loop.call(backend::children));
  }

  @Test
  void equalIdsAndTokensOfTwoLinksAreNotMixedUp() {
    CallRecorder one = call(first, Messages.toolCall("1", "progress", "{\"n\":2}", "1"));
    CallRecorder two = call(second, Messages.toolCall("1", "progress", "{\"n\":3}", "1"));
    for (int i = 0; i < 2; i++) {
      assertTrue(one.take().contains("\"progressToken\":1,"));
    }
    for (int i = 0; i < 3; i++) {
      assertTrue(two.take().contains("\"progressToken\":1,"));
    }
    assertTrue(one.take().contains("\"id\":1,"));
    assertTrue(two.take().contains("\"id\":1,"));
    assertEquals(List.of(), one.takeAll());
  }

  @Test
  void closingOneLinkCancelsItsOwnCallsAlone() {
    CallRecorder held = tool(first, "hold");
    CallRecorder other = tool(second, "hold");
    loop.await(first::close);
    assertEquals("1", ask(second, "cancels"));
    assertEquals(List.of(), held.takeAll());
    assertEquals(List.of(), other.takeAll());
    assertEquals(1, loop.call(backend::children));
  }

  @Test
  void requestOfTheChildGoesToTheOnlyCallAndOnlyItsLinkMayAnswer() {
    CallRecorder only = tool(second, "ask");
    JsonObject asked = LinkContract.told("message", only.take());
    answer(first, asked, "stolen");
    answer(second, asked, "own");
    answer(second, asked, "again");
    assertEquals("own", LinkContract.text(only.take()));
    assertEquals(List.of(), firstListener.takeAll());
  }

  private void answer(Link link, JsonObject asked, String answer) {
    JsonObject response =
        new JsonObject()
            .put("jsonrpc", "2.0")
            .put("id", asked.getValue("id"))
            .put(
                "result",
                new JsonObject()
                    .put("action", "accept")
                    .put("content", new JsonObject().put("answer", answer)));
    loop.run(() -> link.answer(response.encode().getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void childHearsThatALinkUnsubscribesOnlyWhenNoOtherIsLeft() {
    String refused = "\"code\":-32601";
    for (Link link : List.of(first, second)) {
      assertTrue(subscription(link, "resources/subscribe").contains(refused));
    }
    for (int i = 0; i < 2; i++) {
      assertTrue(subscription(first, "resources/unsubscribe").contains("\"result\":{}"));
    }
    assertTrue(subscription(second, "resources/unsubscribe").contains(refused));
  }

  /** What is answered; this child answers each such request that it hears of with an error. */
  private String subscription(Link link, String method) {
    return call(link, Messages.request("1", method, "{\"uri\":\"test://r\"}")).take();
  }

  @Test
  void changesGoToAllLinks() {
    ask(first, "changed");
    for (LinkRecorder listener : List.of(firstListener, secondListener)) {
      assertTrue(listener.take().contains("notifications/tools/list_changed"));
      assertEquals(List.of(), listener.takeAll());
    }
  }

  @Test
  void updateGoesToThoseAloneWhoSubscribed() {
    subscription(first, "resources/subscribe");
    for (String uri : List.of("test://r", "test://r/part", "test://r?v=1", "test://r#f")) {
      updated(uri);
      assertTrue(firstListener.take().contains(uri));
    }
    updated("test://rest");
    updated("test://");
    subscription(first, "resources/unsubscribe");
    updated("test://r");
    assertEquals(List.of(), firstListener.takeAll());
    assertEquals(List.of(), secondListener.takeAll());
  }

  private void updated(String uri) {
    tool(second, "updated", uri).take();
  }

  @Test
  void deathOfTheChildIsToldToAllAndTheNextOpenStartsANewOne() {
    long before = pid(first);
    CallRecorder one = tool(first, "hold");
    CallRecorder two = tool(second, "crash");
    assertEquals("lost UNKNOWN backend_lost", one.take());
    assertEquals("lost UNKNOWN backend_lost", two.take());
    assertEquals("closed it exited with code=3", firstListener.take());
    assertEquals("closed it exited with code=3", secondListener.take());
    Link next = open();
    assertNotEquals(before, pid(next));
    assertEquals("2", ask(next, "executions"));
  }
}
