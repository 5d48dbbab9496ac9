package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that behave well beside those that do not, in front of the packaged gateway. {@code
 * -Dsoak.seconds=600} is how long; a fifth of that is quiet before it, and as much after it, so
 * that a machine which gets slower or faster meanwhile says nothing of the hostile. All of it is
 * warm before it is measured: the compiler of the JVM works for seconds on what is new to it.
 */
@Tag("soak")
class HostileSoakIT {
  private static final int SECONDS = Integer.getInteger("soak.seconds", 600);
  private static final int CLIENTS = 4;
  private static final int LOST = 20;
  private static final String GOOD = "X-Api-Key: key-of-the-good-0123456789";
  private static final String BAD = "X-Api-Key: key-of-the-bad-01234567890";
  private static final String CONFIG =
      """
      listen { port = 0, host = "0.0.0.0", allowed-hosts = ["127.0.0.1"] }
      management { enabled = true, port = %d }
      auth {
        mode = api-key
        api-keys { good = key-of-the-good-0123456789, bad = key-of-the-bad-01234567890 }
      }
      sessions { max = 2000, max-per-principal = 500, idle-timeout = 20s, abandon-timeout = 20s }
      limits { body-timeout = 5s, slow-reader-timeout = 5s, keep-alive = 2s }
      events.ttl = 20s
      """;

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private int management;

  @Test
  @DisplayName(
      "lifecycle 118, 119: the well-behaved lose nothing beside the hostile, nothing is left")
  void theWellBehavedLoseNothing() throws Exception {
    management = freePort();
    Path config = Files.writeString(directory.resolve("soak.conf"), CONFIG.formatted(management));
    try (FatJar gateway = FatJar.start(directory, "-c", config.toString())) {
      int port = gateway.url().getPort();
      try (MischiefProcess mischief = MischiefProcess.start(port, BAD)) {
        run(port, SECONDS / 10, "warm-up");
        mischief.end();
      }
      awaitNothingLeft();
      List<Long> quiet = new ArrayList<>(run(port, SECONDS / 5, "quiet before"));
      List<Long> hostile;
      try (LostNetwork network = LostNetwork.open(port, LOST, BAD);
          MischiefProcess mischief = MischiefProcess.start(port, BAD)) {
        network.cut();
        hostile = run(port, SECONDS, "hostile");
        System.out.print(mischief.end());
      }
      scrape()
          .lines()
          .filter(line -> line.startsWith("fairlead_refused"))
          .forEach(System.out::println);
      awaitNothingLeft();
      quiet.addAll(run(port, SECONDS / 5, "quiet after"));
      double ratio = SoakClient.millis(hostile, 0.99) / SoakClient.millis(quiet, 0.99);
      System.out.printf("p99 beside the hostile / p99 alone = %.2f%n", ratio);
      assertEquals("", gateway.err().lines().filter(HostileSoakIT::isError).findFirst().orElse(""));
      gateway.terminate();
      assertEquals(0, gateway.exitCode());
    }
  }

  private static boolean isError(String line) {
    return line.contains("ERROR") || line.contains("Exception") || line.startsWith("\tat ");
  }

  /** Lets the well-behaved work, and checks meanwhile that sessions add up. */
  private List<Long> run(int port, int seconds, String phase) throws Exception {
    List<SoakClient> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new SoakClient(port, GOOD, phase + "-" + i));
    }
    clients.forEach(Thread::start);
    CountDownLatch never = new CountDownLatch(1);
    for (int passed = 0; passed < seconds; passed++) {
      assertTrue(!never.await(1, TimeUnit.SECONDS));
      sessionsAddUp();
    }
    List<Long> nanos = new ArrayList<>();
    int cuts = 0;
    for (SoakClient client : clients) {
      client.finish();
      nanos.addAll(client.nanos());
      cuts += client.cuts();
    }
    System.out.printf(
        "%s: seconds=%d calls=%d cuts=%d p50=%.1f ms p99=%.1f ms%n",
        phase,
        seconds,
        nanos.size() + cuts,
        cuts,
        SoakClient.millis(nanos, 0.5),
        SoakClient.millis(nanos, 0.99));
    System.out.println("  p99 of its tenths: " + tenths(clients));
    return nanos;
  }

  /** Whether it is the same all the time; each client makes as many calls in one as in another. */
  private static String tenths(List<SoakClient> clients) {
    return IntStream.range(0, 10)
        .mapToObj(
            tenth ->
                clients.stream()
                    .map(SoakClient::nanos)
                    .flatMap(
                        all ->
                            all
                                .subList(all.size() * tenth / 10, all.size() * (tenth + 1) / 10)
                                .stream())
                    .toList())
        .map(nanos -> "%.1f".formatted(SoakClient.millis(nanos, 0.99)))
        .collect(Collectors.joining(" "));
  }

  /** lifecycle 118: created - closed = live, at every scrape. */
  private void sessionsAddUp() throws Exception {
    double created = 0;
    double closed = 0;
    double live = 0;
    for (String line : scrape().lines().toList()) {
      double value =
          line.startsWith("#") ? 0 : Double.parseDouble(line.substring(line.lastIndexOf(' ')));
      created += line.startsWith("fairlead_sessions_created_total") ? value : 0;
      closed += line.startsWith("fairlead_sessions_closed_total") ? value : 0;
      live += line.startsWith("fairlead_sessions ") ? value : 0;
    }
    assertEquals(live, created - closed);
  }

  private String scrape() throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + management + "/metrics");
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** What is open and held, now. */
  private Map<String, Double> gauges() throws Exception {
    Map<String, Double> gauges = new TreeMap<>();
    for (String line : scrape().lines().toList()) {
      if (line.matches(
          "fairlead_(sessions|handshakes|calls|sinks|body_bytes|connections|streams) .*")) {
        String[] parts = line.split(" ");
        gauges.put(parts[0], Double.parseDouble(parts[1]));
      }
    }
    return gauges;
  }

  /** Sessions and streams that were left expire; connections that lead nowhere are noticed. */
  private void awaitNothingLeft() throws Exception {
    Map<String, Double> now = gauges();
    CountDownLatch never = new CountDownLatch(1);
    for (int seconds = 0;
        !now.values().stream().allMatch(v -> v == 0) && seconds < 120;
        seconds++) {
      assertTrue(!never.await(1, TimeUnit.SECONDS));
      now = gauges();
    }
    System.out.println("left: " + now);
    assertTrue(now.values().stream().allMatch(value -> value == 0), now::toString);
  }

  private static int freePort() throws Exception {
    try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
