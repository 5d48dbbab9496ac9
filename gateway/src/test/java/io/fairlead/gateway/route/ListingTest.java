package io.fairlead.gateway.route;

import static io.fairlead.gateway.route.ListKind.TOOLS;
import static io.fairlead.gateway.route.ScriptedBackend.SILENCE;
import static io.fairlead.gateway.route.ScriptedBackend.page;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.backend.BackendFailure;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.backend.LinkListener;
import io.fairlead.gateway.backend.LinkRequest;
import io.fairlead.wire.Envelope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads through a real link to a scripted backend. */
class ListingTest {
  private static final int LONG = 60_000;

  private final Loop loop = new Loop();
  private final ScriptedBackend backend = new ScriptedBackend(loop.vertx(), "files");
  private final List<String> messages = new ArrayList<>();
  private Link link;

  @BeforeEach
  void open() {
    LinkListener none =
        new LinkListener() {
          @Override
          public void message(Envelope message) {}

          @Override
          public void closed(String reason) {}
        };
    link =
        loop.await(
            loop.call(() -> backend.open(new LinkRequest(new byte[0], Principal.ANONYMOUS, none))));
    backend.heard.next("open");
  }

  @AfterEach
  void close() {
    backend.heard.nothingMore();
    loop.close();
  }

  @Test
  void allPagesAreFollowedInOrder() {
    Map<String, String> pages =
        Map.of(
            "", page(TOOLS, "\"\\u0061\\/\"", tool("1"), tool("2")),
            "\"\\u0061\\/\"", page(TOOLS, "\"b\""),
            "\"b\"", page(TOOLS, "", tool("3")));
    backend.answer(TOOLS, pages::get);
    assertEquals(List.of("1", "2", "3"), keys(read()));
    backend.heard.next("tools/list");
    backend.heard.next("tools/list \"\\u0061\\/\"");
    backend.heard.next("tools/list \"b\"");
  }

  @Test
  void listEndsWhenCursorIsNullOrEmpty() {
    for (String none : List.of("null", "\"\"")) {
      backend.answer(TOOLS, cursor -> page(TOOLS, none, tool("1")));
      assertEquals(List.of("1"), keys(read()));
      backend.heard.next("tools/list");
    }
  }

  @Test
  void listIsNotReadWhenCursorComesTwice() {
    backend.answer(TOOLS, cursor -> page(TOOLS, "\"same\"", tool("1")));
    assertFails("malformed", "a cursor came twice at page=2");
    backend.heard.next("tools/list");
    backend.heard.next("tools/list \"same\"");
  }

  @Test
  void listIsNotReadWhenItHasTooManyPages() {
    backend.answer(TOOLS, cursor -> page(TOOLS, "\"x" + cursor.replace("\"", "") + "\""));
    assertFails("too_large", "pages=256");
    for (int page = 0; page < Listing.MAX_PAGES; page++) {
      backend.heard.next(page == 0 ? "tools/list" : "tools/list \"" + "x".repeat(page) + "\"");
    }
  }

  @Test
  void listIsNotReadWhenItHasTooManyItems() {
    String[] most =
        IntStream.range(0, Listing.MAX_ITEMS).mapToObj(i -> tool("" + i)).toArray(String[]::new);
    backend.answer(TOOLS, cursor -> page(TOOLS, "", most));
    assertEquals(Listing.MAX_ITEMS, read().size());
    backend.answer(TOOLS, c -> c.isEmpty() ? page(TOOLS, "\"c\"", most) : page(TOOLS, "", "{}"));
    assertFails("too_large", "items=10000");
    backend.heard.next("tools/list");
    backend.heard.next("tools/list");
    backend.heard.next("tools/list \"c\"");
  }

  @Test
  void listIsNotReadWhenItHasTooManyBytes() {
    String large = "{\"name\":\"" + "n".repeat(Listing.MAX_BYTES / 2) + "\"}";
    backend.answer(TOOLS, c -> page(TOOLS, c.isEmpty() ? "\"c\"" : "", large));
    assertFails("too_large", "bytes=" + Listing.MAX_BYTES);
    backend.heard.next("tools/list");
    backend.heard.next("tools/list \"c\"");
  }

  @Test
  void listIsNotReadWhenCursorIsTooLong() {
    backend.answer(TOOLS, cursor -> page(TOOLS, "\"" + "c".repeat(8 * 1024) + "\""));
    assertFails("too_large", "cursor bytes=8192");
    backend.heard.next("tools/list");
  }

  @Test
  void listIsEmptyWhenMethodIsNotKnown() {
    backend.answer(TOOLS, cursor -> "\"error\":{\"code\":-32601,\"message\":\"\"}");
    assertEquals(List.of(), read());
    backend.heard.next("tools/list");
  }

  @Test
  void listIsNotReadWhenBackendAnswersWithAnError() {
    backend.answer(TOOLS, cursor -> "\"error\":{\"code\":-32000,\"message\":\"a secret\"}");
    BackendFailure failure = assertFails("backend_error", "error code=-32000");
    assertTrue(!failure.getMessage().contains("secret"), failure.getMessage());
    backend.heard.next("tools/list");
  }

  @Test
  void listIsNotReadWhenResultHasNoArray() {
    for (String result : List.of("{}", "{\"tools\":{}}", "{\"tools\":null}", "[]", "7")) {
      backend.answer(TOOLS, cursor -> "\"result\":" + result);
      assertFails("malformed", "no array tools");
      backend.heard.next("tools/list");
    }
  }

  @Test
  void itemIsLeftOutWhenItHasNoKey() {
    backend.offer(TOOLS, "{\"title\":\"x\"}", "7", tool("1"), "{\"name\":5}");
    assertEquals(List.of("1"), keys(read()));
    backend.heard.next("tools/list");
  }

  @Test
  void readIsGivenUpWhenBackendIsSilent() {
    backend.answer(TOOLS, cursor -> SILENCE);
    BackendFailure failure = assertThrows(BackendFailure.class, () -> read(50));
    assertTrue(failure.getMessage().contains("longer than millis=50"), failure.getMessage());
    backend.heard.next("tools/list");
    backend.heard.next("cancel");
  }

  @Test
  void callIsCancelledOnceWhenReadIsCancelledTwice() {
    backend.answer(TOOLS, cursor -> SILENCE);
    Listing listing = loop.call(() -> begin(LONG));
    loop.run(listing::cancel);
    loop.run(listing::cancel);
    assertThrows(BackendFailure.class, () -> loop.await(listing.items()));
    backend.heard.next("tools/list");
    backend.heard.next("cancel");
  }

  @Test
  void listIsNotReadWhenLinkIsLost() {
    backend.answer(TOOLS, cursor -> SILENCE);
    Listing listing = loop.call(() -> begin(LONG));
    loop.run(() -> backend.link().die("gone"));
    BackendFailure failure = assertThrows(BackendFailure.class, () -> loop.await(listing.items()));
    assertEquals("backend_lost", failure.reason());
    backend.heard.next("tools/list");
  }

  @Test
  void messagesOnTheWayAreHandedOn() {
    backend.offer(TOOLS, tool("1"));
    loop.run(
        () -> backend.link().during.add("{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"ping\"}"));
    assertEquals(List.of("1"), keys(read()));
    assertEquals(List.of("ping"), messages);
    backend.heard.next("tools/list");
  }

  private BackendFailure assertFails(String reason, String text) {
    BackendFailure failure = assertThrows(BackendFailure.class, this::read);
    assertEquals(reason, failure.reason());
    assertTrue(failure.getMessage().startsWith("tools/list could not be read: "));
    assertTrue(failure.getMessage().contains(text), failure.getMessage());
    return failure;
  }

  private List<Item> read() {
    return read(LONG);
  }

  private List<Item> read(long millis) {
    return loop.await(loop.call(() -> begin(millis).items()));
  }

  private Listing begin(long millis) {
    return Listing.begin(
        loop.vertx(),
        link,
        TOOLS,
        Principal.ANONYMOUS,
        message -> messages.add(message.method()),
        millis);
  }

  private static String tool(String name) {
    return "{\"name\":\"" + name + "\"}";
  }

  private static List<String> keys(List<Item> items) {
    return items.stream().map(Item::key).collect(Collectors.toList());
  }
}
