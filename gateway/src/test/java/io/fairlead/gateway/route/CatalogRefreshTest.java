package io.fairlead.gateway.route;

import static io.fairlead.gateway.route.ListKind.RESOURCES;
import static io.fairlead.gateway.route.ListKind.TEMPLATES;
import static io.fairlead.gateway.route.ListKind.TOOLS;
import static io.fairlead.gateway.route.ScriptedBackend.SILENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How lists are kept fresh while a link is open. */
class CatalogRefreshTest extends CatalogScene {
  @Test
  void listIsNotAskedForWhenBackendDoesNotAnnounceIt() {
    up(QUICK);
    say(CHANGED.replace("tools", "prompts"));
    files.heard.nothingFor(50);
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
    loop.run(
        () -> {
          for (int i = 0; i < 100; i++) {
            files.link().say(CHANGED);
            catalog.stale("files", TOOLS);
          }
        });
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
}
