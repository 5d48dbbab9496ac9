package io.fairlead.gateway;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that behaves well: sessions that it deletes, calls whose results it checks, some of
 * which it loses the connection of and resumes.
 *
 * <p>Thread: its own, until it is told to stop.
 */
final class SoakClient extends Thread {
  private static final int CALLS_PER_SESSION = 50;
  private static final int CUT_EACH = 10;

  /** Time from one call's begin to the next: a client that waits for the machine measures that. */
  private static final long PACE_NANOS = 20_000_000;

  private final int port;
  private final String key;
  private final String counter;
  private final List<Long> nanos = new ArrayList<>();
  private volatile boolean stopped;
  private long executions;
  private int cuts;
  private Throwable failure;

  SoakClient(int port, String key, String counter) {
    super("soak-" + counter);
    this.port = port;
    this.key = key;
    this.counter = counter;
  }

  /** Ends it, and fails if it lost a result or one was run twice. */
  void finish() throws InterruptedException {
    stopped = true;
    join(60_000);
    if (isAlive() || failure != null) {
      throw new AssertionError(counter + " after calls=" + nanos.size(), failure);
    }
  }

  List<Long> nanos() {
    return nanos;
  }

  int cuts() {
    return cuts;
  }

  @Override
  public void run() {
    try {
      while (!stopped) {
        McpSession session = McpSession.open(port, "/mcp", "2025-11-25", key);
        for (int i = 1; i <= CALLS_PER_SESSION && !stopped; i++) {
          long next = System.nanoTime() + PACE_NANOS;
          call(session, i, i % CUT_EACH == 0);
          LockSupport.parkNanos(next - System.nanoTime());
        }
        session.delete(key).expect(204);
      }
    } catch (IOException | RuntimeException | AssertionError thrown) {
      failure = thrown;
    }
  }

  /** The counter says how often the tool has run: once for each call. */
  private void call(McpSession session, int id, boolean cut) throws IOException {
    String call =
        McpSession.request(
            String.valueOf(id),
            "tools/call",
            "{\"name\":\"count\",\"arguments\":{\"key\":\"" + counter + "\"}}");
    long from = System.nanoTime();
    String answer = cut ? afterACut(session, call) : answer(session, call);
    if (!cut) {
      nanos.add(System.nanoTime() - from);
    }
    executions++;
    JsonObject result = new JsonObject(answer).getJsonObject("result");
    long total = result.getJsonObject("structuredContent").getLong("total");
    if (total != executions) {
      throw new AssertionError("calls=" + executions + " executions=" + total);
    }
  }

  private String answer(McpSession session, String call) throws IOException {
    try (McpSocket post = session.post(call, key)) {
      return post.header("Content-Type").orElse("").startsWith("application/json")
          ? post.body()
          : post.message().data();
    }
  }

  /** Takes the stream's first event and leaves; then asks for what follows it. */
  private String afterACut(McpSession session, String call) throws IOException {
    cuts++;
    McpSocket.Event first;
    try (McpSocket post = session.postTaking("text/event-stream", call, key)) {
      first = post.next().orElseThrow();
      post.reset();
    }
    try (McpSocket resumed = session.get("Last-Event-ID: " + first.id(), key)) {
      return resumed.message().data();
    }
  }

  /** The latency that this share of the exchanges did not exceed. */
  static double millis(List<Long> nanos, double share) {
    List<Long> sorted = new ArrayList<>(nanos);
    Collections.sort(sorted);
    return sorted.get((int) (share * (sorted.size() - 1))) / 1e6;
  }
}
