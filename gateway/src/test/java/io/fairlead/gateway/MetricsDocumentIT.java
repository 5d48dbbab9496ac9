package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.fairlead.gateway.observe.PrometheusMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@code docs/reference-metrics.md} lists what a scrape shows, and nothing else. */
class MetricsDocumentIT {
  private static final Path DOCUMENT = Path.of("../docs/reference-metrics.md");
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(fairlead_\\w+)`(?: \\{([\\w, ]+)\\})? \\|.*$");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (fairlead_\\w+) (\\w+)$");
  private static final Pattern COUNTED = Pattern.compile("metrics(?:\\(\\))?\\.count\\(\"(\\w+)\"");

  @Test
  @DisplayName("every series of a scrape is documented with its labels, and nothing else is")
  void documentSaysWhatAScrapeShows() throws Exception {
    Map<String, Set<String>> documented = documented();
    Map<String, Set<String>> scraped = labels(scrape());
    Set<String> rare = counted();
    for (Map.Entry<String, Set<String>> series : scraped.entrySet()) {
      assertEquals(documented.get(series.getKey()), series.getValue(), series::getKey);
    }
    Set<String> possible = new TreeSet<>(scraped.keySet());
    possible.addAll(rare);
    // needs a child process, which ScriptedBackend is not
    possible.addAll(Set.of("fairlead_children", "fairlead_children_limit"));
    // needs an application around it
    possible.addAll(Set.of("fairlead_event_bus_requests", "fairlead_event_bus_requests_limit"));
    assertEquals(possible, documented.keySet());
  }

  /** Something of everything: a call, its resume, an eviction, a refusal, an end. */
  private static String scrape() throws Exception {
    ScriptedBackend backend = new ScriptedBackend("demo");
    String config =
        "management.enabled = true\nlimits.calls-per-session = 1\nevents.max-events-per-stream = 2";
    try (TestGateway gateway = TestGateway.start(config, backend)) {
      McpSession session = McpSession.open(gateway.port());
      McpSocket post = session.post(McpSession.call("1"));
      String start = post.next().orElseThrow().id();
      OpenCall call = backend.nextCall();
      session.post(McpSession.call("2")).body();
      post.reset();
      TestGateway.until("it left", () -> gateway.holdings().sinks() == 0);
      for (int i = 0; i < 5; i++) {
        call.note("n");
      }
      call.answer("x");
      assertTrue(session.resume(start).rest().size() < 6);
      session.delete().body();
      gateway.apply(config + "\nlimits.calls = 7", backend);
      return gateway.read(parts -> ((PrometheusMetrics) parts.services().metrics()).scrape());
    }
  }

  private static Map<String, Set<String>> labels(String scrape) {
    Map<String, Set<String>> labels = new TreeMap<>();
    Matcher type = TYPE.matcher(scrape);
    while (type.find()) {
      String name = type.group(1);
      labels.put(
          name,
          Pattern.compile("(?m)^" + name + "(?:_count)?(?:\\{(.*)\\})? ")
              .matcher(scrape)
              .results()
              .flatMap(line -> names(line.group(1)))
              .collect(Collectors.toCollection(TreeSet::new)));
    }
    return labels;
  }

  private static Stream<String> names(String labels) {
    return labels == null
        ? Stream.empty()
        : Pattern.compile("(\\w+)=\"").matcher(labels).results().map(found -> found.group(1));
  }

  private static Map<String, Set<String>> documented() throws IOException {
    return ROW.matcher(Files.readString(DOCUMENT))
        .results()
        .collect(
            Collectors.toMap(
                row -> row.group(1),
                row ->
                    row.group(2) == null
                        ? new TreeSet<>()
                        : new TreeSet<>(Set.of(row.group(2).split(", "))),
                (one, other) -> {
                  throw new AssertionError("a metric is documented twice: " + one);
                },
                TreeMap::new));
  }

  /** What is counted under its own name, however rarely. */
  private static Set<String> counted() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .flatMap(file -> COUNTED.matcher(read(file)).results())
          .map((MatchResult found) -> "fairlead_" + found.group(1) + "_total")
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
