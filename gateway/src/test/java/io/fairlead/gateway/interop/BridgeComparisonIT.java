package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bridge beside a published one, under the same faults; writes the table of
 * docs/bridge-comparison.md to {@code target/bridge-comparison.md}.
 */
@NeedsNode
@Tag("comparison")
class BridgeComparisonIT {
  private static final int CALLS = 20;
  private static final int STARTS = 7;
  private static final String FOLDER = "comparison";
  private static final Path TABLE = Path.of("target/bridge-comparison.md");

  @TempDir Path settings;
  private final List<String> table = new ArrayList<>();

  /** A bridge: its title, and its command line without the URL. */
  private record Peer(String title, List<String> prefix) {
    private List<String> command(String url) {
      return Stream.concat(prefix.stream(), Stream.of(url)).toList();
    }
  }

  @Test
  void bothMeetTheSameFaults() throws Exception {
    NodeModules.install(FOLDER);
    Peer ours = new Peer("fairlead-bridge", BridgeCommand.of());
    Peer other =
        new Peer(
            "mcp-remote 0.15.1",
            List.of(
                NodeModules.node(),
                NodeModules.path(FOLDER + "/node_modules/mcp-remote/dist/proxy.js").toString()));
    for (FaultScene.Fault fault : FaultScene.Fault.values()) {
      for (Peer peer : List.of(ours, other)) {
        FaultScene.Tally tally = meet(peer, fault);
        if (peer == ours) {
          assertEquals(0, tally.hung(), fault.text);
          assertEquals(0, tally.twice(), fault.text);
        }
      }
    }
    try (FaultScene scene = new FaultScene(FaultScene.Fault.NONE)) {
      measureStarts(scene.url(), List.of(ours, archived(ours, scene.url()), other));
    }
    Files.write(TABLE, table);
  }

  /** What docs/bridge.md tells users who mind the time that it takes to start. */
  private Peer archived(Peer peer, String url) throws Exception {
    Path archive = settings.resolve("bridge.jsa");
    List<String> once = new ArrayList<>(peer.command(url));
    // the JVM would write its warnings between the messages
    once.addAll(1, List.of("-Xlog:disable", "-XX:ArchiveClassesAtExit=" + archive));
    start(once).leave();
    List<String> prefix = new ArrayList<>(peer.prefix());
    prefix.addAll(
        1,
        List.of(
            "-Xlog:disable",
            "-XX:SharedArchiveFile=" + archive,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC"));
    return new Peer("fairlead-bridge with a class archive", prefix);
  }

  private FaultScene.Tally meet(Peer peer, FaultScene.Fault fault) throws Exception {
    try (FaultScene scene = new FaultScene(fault);
        StdioHost host = start(peer.command(scene.url()))) {
      FaultScene.Tally tally = scene.run(host, CALLS);
      add(
          "| %s | %s | %d | %d | %d | %d | %d | %s | %s | %d MiB |",
          fault.text,
          peer.title(),
          tally.delivered(),
          tally.told(),
          tally.hung(),
          tally.once(),
          tally.twice(),
          tally.hung() == CALLS ? "none" : "%.1f s".formatted(tally.slowestMillis() / 1000.0),
          tally.next() ? "yes" : "no",
          host.residentMebibytes());
      System.err.println("  " + tally.sample());
      return tally;
    }
  }

  /** In turn, so that all meet the same machine. */
  private void measureStarts(String url, List<Peer> peers) throws Exception {
    long[][] millis = new long[peers.size()][STARTS];
    long[][] mebibytes = new long[peers.size()][STARTS];
    for (int i = 0; i < STARTS; i++) {
      for (int peer = 0; peer < peers.size(); peer++) {
        long start = System.nanoTime();
        try (StdioHost host = start(peers.get(peer).command(url))) {
          millis[peer][i] = (System.nanoTime() - start) / 1_000_000;
          mebibytes[peer][i] = host.residentMebibytes();
        }
      }
    }
    for (int peer = 0; peer < peers.size(); peer++) {
      add(
          "| %s | %s ms | %s MiB |",
          peers.get(peer).title(), spread(millis[peer]), spread(mebibytes[peer]));
    }
  }

  private void add(String format, Object... values) {
    table.add(format.formatted(values));
    System.err.println(table.get(table.size() - 1));
  }

  private static String spread(long[] values) {
    Arrays.sort(values);
    return "%d (%d to %d)"
        .formatted(values[values.length / 2], values[0], values[values.length - 1]);
  }

  private StdioHost start(List<String> command) throws Exception {
    Map<String, String> env = Map.of("MCP_REMOTE_CONFIG_DIR", settings.toString());
    return StdioHost.start(command, env, settings.resolve("errors.log"));
  }
}
