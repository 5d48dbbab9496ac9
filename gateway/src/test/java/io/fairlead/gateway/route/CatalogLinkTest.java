package io.fairlead.gateway.route;

import static io.fairlead.gateway.route.ListKind.TOOLS;
import static io.fairlead.gateway.route.ScriptedBackend.SILENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How shared links are opened again, closed, and answered. */
class CatalogLinkTest extends CatalogScene {
  @Test
  void linkIsOpenedAgainAndListsAreKeptWhenItIsLost() {
    up(QUICK);
    loop.run(
        () -> {
          files.hold();
          files.link().die("it crashed");
        });
    told.next("state files DOWN it crashed");
    assertEquals(Optional.empty(), loop.call(() -> catalog.link("files")));
    assertEquals("{\"tools\":[" + T1 + "]}", all(TOOLS));
    files.heard.next("open");
    loop.run(
        () -> {
          files.offer(TOOLS, T2);
          files.release();
        });
    files.heard.next("tools/list");
    told.next("changed files [TOOLS]");
    told.next("state files UP ");
    assertSame(loop.call(files::link), loop.call(() -> catalog.link("files").orElseThrow()));
  }

  @Test
  void listIsDroppedWhenBackendNoLongerAnnouncesIt() {
    up(QUICK);
    loop.run(
        () -> {
          files.announce("{}");
          files.link().die("it was replaced");
        });
    told.next("state files DOWN it was replaced");
    told.next("changed files [TOOLS]");
    told.next("state files UP ");
    assertEquals("{\"tools\":[]}", all(TOOLS));
    assertEquals(Set.of(), loop.call(() -> catalog.all().capabilities().fieldNames()));
  }

  @Test
  void readThatWasUnderWayIsForgottenWhenLinkIsLost() {
    up(new Pace(20, 160, 1, 10_000));
    loop.run(() -> files.answer(TOOLS, cursor -> SILENCE));
    say(CHANGED);
    files.heard.next("tools/list");
    loop.run(() -> files.link().die("it crashed"));
    told.next("state files DOWN it crashed");
    files.heard.next("open");
    files.heard.next("tools/list");
    told.nothingMore();
  }

  @Test
  void waitsDoubleUpToTheLongestWhenBackendStaysDown() {
    files.refuse("connection refused");
    start(QUICK, files);
    told.next("state files DOWN connection refused");
    long last = files.heard.next("open");
    for (int wait : new int[] {20, 40, 80, 160, 160}) {
      long next = files.heard.next("open");
      assertTrue(next - last >= wait - 1, "wait=" + wait + " millis=" + (next - last));
      last = next;
    }
    told.nothingMore();
    loop.run(() -> files.refuse(""));
    told.next("state files UP ");
  }

  @Test
  void waitsStillDoubleWhenBackendCrashesAfterEachStart() {
    up(new Pace(50, 10_000, 1, 10_000));
    for (int wait : new int[] {50, 100, 200}) {
      loop.run(() -> files.link().die("it crashed"));
      long lost = told.next("state files DOWN it crashed");
      long next = files.heard.next("open");
      assertTrue(next - lost >= wait - 1, "wait=" + wait + " millis=" + (next - lost));
      files.heard.next("tools/list");
      told.next("state files UP ");
    }
  }

  @Test
  void waitIsTheShortestAgainWhenLinkLivedLong() {
    files.refuse("connection refused");
    start(new Pace(1, 300, 1, 10_000), files);
    told.next("state files DOWN connection refused");
    for (int i = 0; i < 10; i++) {
      files.heard.next("open");
    }
    loop.run(() -> files.refuse(""));
    told.next("state files UP ");
    drain(files);
    told.nothingFor(350);
    loop.run(() -> files.link().die("it crashed"));
    long lost = told.next("state files DOWN it crashed");
    long next = files.heard.next("open");
    assertTrue(next - lost < 250, "millis=" + (next - lost));
  }

  @Test
  void backendIsAnsweredWhenItAsks() {
    up(QUICK);
    for (Map.Entry<String, String> asked : answers().entrySet()) {
      say("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"" + asked.getKey() + "\"}");
      files.heard.next("{\"jsonrpc\":\"2.0\",\"id\":\"a\"," + asked.getValue() + "}");
    }
  }

  @Test
  void backendIsAnsweredWhenItAsksOnTheStreamOfARead() {
    up(QUICK);
    loop.run(() -> files.link().during.add("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}"));
    say(CHANGED);
    files.heard.next("tools/list");
    files.heard.next("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}");
  }

  @Test
  void backendIsAnsweredWhenItAsksBeforeItsLinkIsOpen() {
    for (int i = 0; i < 100; i++) {
      files.early.add("{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"ping\"}");
    }
    files.announce("{}");
    start(QUICK, files);
    files.heard.next("open");
    for (int i = 0; i < 64; i++) {
      files.heard.next("{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"result\":{}}");
    }
    told.next("state files UP ");
    loop.run(() -> {});
    files.heard.nothingMore();
  }

  @Test
  void backendIsDownWhenItsHandshakeCannotBeUsed() {
    files.introduce("[]");
    loop.await(start(QUICK, files));
    told.next("state files DOWN its InitializeResult is no JSON object of usable size");
    files.heard.next("open");
    files.heard.next("close");
    files.heard.next("open");
    loop.run(() -> files.introduce("{\"capabilities\":7}"));
    told.next("state files UP ");
  }

  @Test
  void readUnderWayIsCancelledWhenCatalogIsClosed() {
    files.answer(TOOLS, cursor -> SILENCE);
    start(QUICK, files);
    files.heard.next("open");
    files.heard.next("tools/list");
    loop.await(loop.call(catalog::close));
    files.heard.next("cancel");
    files.heard.next("close");
    told.nothingMore();
  }

  @Test
  void nothingGoesOnWhenCatalogWasClosed() {
    search.refuse("connection refused");
    ScriptedBackend slow = backend("slow");
    slow.hold();
    files.offer(TOOLS, T1);
    Future<Void> settled = start(new Pace(20, 20, 50, 10_000), files, search, slow);
    told.next("state search DOWN connection refused");
    told.next("changed files [TOOLS]");
    told.next("state files UP ");
    say(CHANGED);
    loop.await(loop.call(catalog::close));
    loop.await(settled);
    loop.run(slow::release);
    loop.run(() -> catalog.stale("files", TOOLS));
    drain(search);
    files.heard.next("open");
    files.heard.next("tools/list");
    files.heard.next("close");
    slow.heard.next("open");
    slow.heard.next("close");
    search.heard.nothingFor(100);
    files.heard.nothingMore();
    slow.heard.nothingMore();
    told.nothingMore();
  }

  private static Map<String, String> answers() {
    Map<String, String> answers = new LinkedHashMap<>();
    answers.put("ping", "\"result\":{}");
    answers.put("roots/list", "\"result\":{\"roots\":[]}");
    answers.put(
        "sampling/createMessage",
        "\"error\":{\"code\":-32601,\"message\":\"a link that only reads lists does not answer"
            + " method=sampling/createMessage\",\"data\":{\"reason\":\"unknown_method\"}}");
    return answers;
  }
}
