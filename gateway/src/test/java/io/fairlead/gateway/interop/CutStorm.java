package io.fairlead.gateway.interop;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Stock TypeScript clients that call the ledger's tool through a {@link CutProxy}, which cuts every
 * stream at a random moment after the client saw an event id on it, and a third of the resumed ones
 * again.
 *
 * <p>Thread: the proxy's context, but for {@link #run}. Owner: the test.
 */
final class CutStorm {
  private static final int LONGEST_MILLIS = 80;
  private static final CutProxy.Cut[] CUTS = CutProxy.Cut.values();

  private final Vertx vertx;
  private final Random random;
  private final Map<String, CutProxy.Leg> legs = new HashMap<>();
  private final Set<CutProxy.Leg> drawn = new HashSet<>();
  private final int enough;
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private int cuts;
  private int recuts;

  private CutStorm(Vertx vertx, int enough, long seed) {
    this.vertx = vertx;
    this.enough = enough;
    this.random = new Random(seed);
  }

  /**
   * What became of a storm.
   *
   * @param cuts streams that were cut
   * @param recuts those of them that had been resumed
   * @param calls calls that were made
   * @param delivered those of them that brought their own answer and all their progress
   * @param report what the clients said at the end
   */
  record Result(int cuts, int recuts, int calls, int delivered, String report) {}

  /**
   * @param port of the server on loopback
   * @param tool the name of the ledger's {@code append}
   * @param cuts how many to make at least, a tenth of them of resumed streams; then the calls that
   *     run come to their end
   */
  static Result run(int port, String tool, int cuts, long seed) throws Exception {
    return run(port, tool, cuts, seed, CompletableFuture.completedFuture(null));
  }

  /**
   * @param until what it goes on for at least
   */
  static Result run(int port, String tool, int cuts, long seed, CompletableFuture<?> until)
      throws Exception {
    Vertx vertx = Vertx.vertx();
    CutStorm storm = new CutStorm(vertx, cuts, seed);
    try (CutProxy proxy = CutProxy.start(vertx, port, storm::watch);
        NodeProcess clients =
            NodeProcess.start(
                Map.of(),
                line -> vertx.runOnContext(now -> storm.said(line)),
                "cutstorm.mjs",
                "http://127.0.0.1:" + proxy.port() + "/mcp",
                tool,
                8,
                25)) {
      CompletableFuture.allOf(storm.over, until).get(120, TimeUnit.SECONDS);
      clients.say("enough");
      List<String> lines = clients.awaitEnd(Duration.ofSeconds(120));
      String report = lines.isEmpty() ? clients.errors() : lines.get(lines.size() - 1);
      JsonObject sums = new JsonObject(report);
      return new Result(
          storm.cuts,
          storm.recuts,
          sums.getInteger("calls"),
          sums.getInteger("delivered"),
          report + clients.errors());
    } finally {
      vertx.close().await();
    }
  }

  private void watch(CutProxy.Leg leg) {
    leg.onId(id -> legs.put(id, leg));
  }

  private void said(String line) {
    if (line.startsWith("seen ")) {
      CutProxy.Leg leg = legs.remove(line.substring(5));
      if (leg != null && drawn.add(leg)) {
        draw(leg);
      }
    }
  }

  private void draw(CutProxy.Leg leg) {
    boolean resumed = leg.request().toLowerCase(Locale.ROOT).contains("\nlast-event-id:");
    if (!resumed || random.nextInt(3) == 0) {
      CutProxy.Cut cut = CUTS[random.nextInt(CUTS.length)];
      long delay = 1 + random.nextInt(LONGEST_MILLIS);
      vertx.setTimer(delay, now -> count(leg.sever(cut), resumed));
    }
  }

  private void count(boolean severed, boolean resumed) {
    cuts += severed ? 1 : 0;
    recuts += severed && resumed ? 1 : 0;
    if (cuts >= enough && recuts >= enough / 10) {
      over.complete(null);
    }
  }
}
