package io.fairlead.gateway.route;

import static io.fairlead.gateway.route.ListKind.PROMPTS;
import static io.fairlead.gateway.route.ListKind.RESOURCES;
import static io.fairlead.gateway.route.ListKind.TEMPLATES;
import static io.fairlead.gateway.route.ListKind.TOOLS;
import static io.fairlead.gateway.route.ScriptedBackend.SILENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.backend.Backend;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Keeps the lists of scripted backends, on a real loop and its real timers. */
class CatalogTest {
  private static final String ONLY_TOOLS = "{\"tools\":{}}";
  private static final String CHANGED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}";
  private static final String T1 = "{\"name\":\"t1\"}";
  private static final String T2 = "{\"name\":\"t2\"}";

  /** Quick, but with a rest that is longer than a busy machine's hiccup. */
  private static final Pace QUICK = new Pace(20, 160, 100, 10_000);

  private final Loop loop = new Loop();
  private final Heard told = new Heard();
  private final ScriptedBackend files = backend("files");
  private final ScriptedBackend search = backend("search");
  private Catalog catalog;

  @AfterEach
  void close() {
    loop.await(loop.call(catalog::close));
    loop.close();
  }

  @Test
  void everyAnnouncedListIsReadWhenBackendOpens() {
    files.announce(ScriptedBackend.ALL).offer(TOOLS, T1).offer(PROMPTS, "{\"name\":\"p\"}");
    files.offer(RESOURCES, "{\"uri\":\"x://1\"}").offer(TEMPLATES, "{\"uriTemplate\":\"x://{a}\"}");
    start(QUICK, files);
    files.heard.next("open");
    files.heard.nextInAnyOrder(
        "tools/list", "prompts/list", "resources/list", "resources/templates/list");
    told.nextInAnyOrder(
        "changed files [TOOLS]",
        "changed files [PROMPTS]",
        "changed files [RESOURCES]",
        "changed files [TEMPLATES]",
        "state files UP ");
    assertEquals("{\"tools\":[" + T1 + "]}", all(TOOLS));
    assertEquals("{\"resources\":[{\"uri\":\"x://1\"}]}", all(RESOURCES));
    told.nothingMore();
  }

  @Test
  void listIsNotAskedForWhenBackendDoesNotAnnounceIt() {
    up(QUICK);
    say(CHANGED.replace("tools", "prompts"));
    files.heard.nothingFor(50);
  }

  @Test
  void backendsWaitForNobodyWhenOneIsDeadAndOneIsSlow() {
    ScriptedBackend slow = backend("slow");
    slow.hold();
    search.refuse("connection refused");
    files.offer(TOOLS, T1);
    Future<Void> settled = start(new Pace(10_000, 10_000, 100, 10_000), files, search, slow);
    told.next("state search DOWN connection refused");
    told.next("changed files [TOOLS]");
    told.next("state files UP ");
    assertEquals("{\"tools\":[{\"name\":\"files__t1\"}]}", all(TOOLS));
    assertEquals(State.Phase.STARTING, state("slow").phase());
    assertFalse(settled.isComplete());
    loop.run(slow::release);
    loop.await(settled);
    told.next("state slow UP ");
    told.nothingMore();
  }

  @Test
  void emptyListIsNoNewsWhenItIsTheFirst() {
    files.offer(TOOLS);
    start(QUICK, files);
    told.next("state files UP ");
    told.nothingMore();
    assertEquals("{\"tools\":[]}", all(TOOLS));
  }

  @Test
  void backendIsStartingWhileNoListCouldBeRead() {
    files.answer(TOOLS, cursor -> "\"error\":{\"code\":-32002,\"message\":\"\"}");
    Future<Void> settled = start(QUICK, files);
    loop.await(settled);
    told.next(
        "state files STARTING tools/list could not be read: the backend answered with error"
            + " code=-32002");
    assertTrue(loop.call(() -> catalog.link("files")).isPresent());
    loop.run(() -> files.offer(TOOLS, T1));
    told.next("changed files [TOOLS]");
    told.next("state files UP ");
  }

  @Test
  void otherListsAreOfferedWhenOneCannotBeRead() {
    files.announce("{\"tools\":{},\"prompts\":{}}").offer(TOOLS, T1);
    files.answer(PROMPTS, cursor -> "\"error\":{\"code\":-32603,\"message\":\"\"}");
    start(QUICK, files);
    told.next("changed files [TOOLS]");
    told.next("state files UP ");
    loop.run(() -> files.offer(PROMPTS, "{\"name\":\"p\"}"));
    told.next("changed files [PROMPTS]");
    told.nothingMore();
  }

  @Test
  void backendIsNotUpWhenItNeverAnswers() {
    files.answer(TOOLS, cursor -> SILENCE);
    Future<Void> settled = start(new Pace(20, 160, 100, 50), files);
    loop.await(settled);
    told.next("state files STARTING tools/list could not be read: it took longer than millis=50");
    files.heard.next("open");
    files.heard.next("tools/list");
    files.heard.next("cancel");
    files.heard.next("tools/list");
  }

  @Test
  void listIsReadAgainWhenBackendSaysThatItChanged() {
    up(QUICK);
    View before = loop.call(catalog::all);
    loop.run(() -> files.offer(TOOLS, T1, T2));
    say(CHANGED);
    told.next("changed files [TOOLS]");
    assertEquals("{\"tools\":[" + T1 + "," + T2 + "]}", all(TOOLS));
    assertNotSame(before, loop.call(catalog::all));
  }

  @Test
  void nobodyIsToldWhenBytesAreTheSame() {
    up(QUICK);
    View before = loop.call(catalog::all);
    say(CHANGED);
    files.heard.next("tools/list");
    told.nothingFor(50);
    assertSame(before, loop.call(catalog::all));
  }

  @Test
  void resourcesAndTemplatesAreReadAgainWhenResourcesChanged() {
    files.announce("{\"resources\":{}}").offer(RESOURCES).offer(TEMPLATES);
    start(QUICK, files);
    told.next("state files UP ");
    files.heard.next("open");
    files.heard.nextInAnyOrder("resources/list", "resources/templates/list");
    say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/list_changed\"}");
    files.heard.nextInAnyOrder("resources/list", "resources/templates/list");
  }

  /** Shows lifecycle 107: at most one read in a rest, however many notifications. */
  @Test
  void readsAreCoalescedWhenNotificationsStorm() {
    files.offer(TOOLS, T1);
    start(QUICK, files);
    told.next("changed files [TOOLS]");
    told.next("state files UP ");
    files.heard.next("open");
    long first = files.heard.next("tools/list");
    for (int i = 0; i < 100; i++) {
      say(CHANGED);
      loop.run(() -> catalog.stale("files", TOOLS));
    }
    long second = files.heard.next("tools/list");
    assertTrue(second - first >= QUICK.restMillis() - 1, "millis=" + (second - first));
    files.heard.nothingFor(3 * QUICK.restMillis());
  }

  @Test
  void listIsReadOnceMoreWhenItChangesDuringARead() {
    files.announce(ONLY_TOOLS).answer(TOOLS, cursor -> SILENCE);
    start(new Pace(20, 160, 1, 10_000), files);
    files.heard.next("open");
    files.heard.next("tools/list");
    loop.run(() -> files.offer(TOOLS, T1));
    say(CHANGED);
    say(CHANGED);
    files.heard.nothingFor(50);
    loop.run(() -> files.link().answerAll());
    files.heard.next("tools/list");
    files.heard.nothingFor(50);
  }

  @Test
  void lastGoodListIsKeptWhenRefreshFails() {
    up(QUICK);
    loop.run(() -> files.answer(TOOLS, cursor -> "\"error\":{\"code\":-32603,\"message\":\"\"}"));
    say(CHANGED);
    files.heard.next("tools/list");
    files.heard.next("tools/list");
    assertEquals("{\"tools\":[" + T1 + "]}", all(TOOLS));
    assertTrue(state("files").isUp());
    loop.run(() -> files.offer(TOOLS, T2));
    told.next("changed files [TOOLS]");
    told.nothingMore();
  }

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

  @Test
  void oneBackendIsOfferedAloneUnderItsOwnNames() {
    files.offer(TOOLS, T1);
    search.offer(TOOLS, T1);
    loop.await(start(QUICK, files, search));
    assertEquals("{\"tools\":[{\"name\":\"files__t1\"},{\"name\":\"find__t1\"}]}", all(TOOLS));
    assertEquals(
        "{\"tools\":[" + T1 + "]}",
        loop.call(() -> new String(catalog.only("search").orElseThrow().list(TOOLS), UTF_8)));
    assertEquals(Optional.empty(), loop.call(() -> catalog.only("absent")));
    assertEquals(Optional.empty(), loop.call(() -> catalog.link("absent")));
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

  private ScriptedBackend backend(String name) {
    return new ScriptedBackend(loop.vertx(), name).announce(ONLY_TOOLS).offer(TOOLS);
  }

  /** Starts with one backend and waits until its one tool is known. */
  private void up(Pace pace) {
    files.offer(TOOLS, T1);
    loop.await(start(pace, files));
    told.next("changed files [TOOLS]");
    told.next("state files UP ");
    files.heard.next("open");
    files.heard.next("tools/list");
  }

  private Future<Void> start(Pace pace, ScriptedBackend... backends) {
    Map<String, Backend> byName = new LinkedHashMap<>();
    for (ScriptedBackend backend : backends) {
      byName.put(backend.name(), backend);
    }
    Map<String, Optional<String>> prefixes = Map.of("search", Optional.of("find"));
    return loop.call(
        () -> {
          byte[] params = "{}".getBytes(UTF_8);
          catalog = new Catalog(loop.vertx(), byName, prefixes, params, new Told(), pace);
          catalog.start();
          return catalog.settled();
        });
  }

  private void say(String json) {
    loop.run(() -> files.link().say(json));
  }

  private String all(ListKind kind) {
    return loop.call(() -> new String(catalog.all().list(kind), UTF_8));
  }

  private State state(String backend) {
    return loop.call(() -> catalog.state(backend));
  }

  private static void drain(ScriptedBackend backend) {
    backend.heard.clear();
  }

  /** Writes down what the catalog tells. */
  private final class Told implements Catalog.Listener {

    @Override
    public void changed(Set<ListKind> kinds, String backend) {
      told.add("changed " + backend + " " + kinds);
    }

    @Override
    public void state(String backend, State state) {
      told.add("state " + backend + " " + state.phase() + " " + state.reason());
    }
  }
}
