package io.fairlead.gateway.route;

import static io.fairlead.gateway.route.ListKind.TOOLS;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.backend.Backend;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

/**
 * A catalog of scripted backends, on a real loop and its real timers. {@code told} is what it tells
 * its listener, {@code heard} what a backend hears of it.
 */
class CatalogScene {
  static final String ONLY_TOOLS = "{\"tools\":{}}";
  static final String CHANGED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}";
  static final String T1 = "{\"name\":\"t1\"}";
  static final String T2 = "{\"name\":\"t2\"}";

  /** Quick, but with a rest that is longer than a busy machine's hiccup. */
  static final Pace QUICK = new Pace(20, 160, 100, 10_000);

  final Loop loop = new Loop();
  final Heard told = new Heard();
  final ScriptedBackend files = backend("files");
  final ScriptedBackend search = backend("search");
  Catalog catalog;

  @AfterEach
  void close() {
    loop.await(loop.call(catalog::close));
    loop.close();
  }

  ScriptedBackend backend(String name) {
    return new ScriptedBackend(loop.vertx(), name).announce(ONLY_TOOLS).offer(TOOLS);
  }

  /** Starts with one backend and waits until its one tool is known. */
  void up(Pace pace) {
    files.offer(TOOLS, T1);
    loop.await(start(pace, files));
    told.next("changed files [TOOLS]");
    told.next("state files UP ");
    files.heard.next("open");
    files.heard.next("tools/list");
  }

  Future<Void> start(Pace pace, ScriptedBackend... backends) {
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

  void say(String json) {
    loop.run(() -> files.link().say(json));
  }

  String all(ListKind kind) {
    return loop.call(() -> new String(catalog.all().list(kind), UTF_8));
  }

  State state(String backend) {
    return loop.call(() -> catalog.state(backend));
  }

  static void drain(ScriptedBackend backend) {
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
