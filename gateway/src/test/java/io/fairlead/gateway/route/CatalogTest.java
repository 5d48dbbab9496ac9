package io.fairlead.gateway.route;

import static io.fairlead.gateway.route.ListKind.PROMPTS;
import static io.fairlead.gateway.route.ListKind.RESOURCES;
import static io.fairlead.gateway.route.ListKind.TEMPLATES;
import static io.fairlead.gateway.route.ListKind.TOOLS;
import static io.fairlead.gateway.route.ScriptedBackend.SILENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is offered, and how backends do at the start. */
class CatalogTest extends CatalogScene {
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
  void backendIsNotUpUntilEachListWasTried() {
    files.announce("{\"tools\":{},\"prompts\":{}}").offer(TOOLS, T1);
    files.answer(PROMPTS, cursor -> SILENCE);
    Future<Void> settled = start(QUICK, files);
    told.next("changed files [TOOLS]");
    told.nothingFor(50);
    assertFalse(settled.isComplete());
    loop.run(() -> files.offer(PROMPTS));
    loop.run(() -> files.link().answerAll());
    told.next("state files UP ");
    loop.await(settled);
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
}
