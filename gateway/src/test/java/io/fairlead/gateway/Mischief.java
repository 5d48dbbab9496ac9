package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that behave badly, in a process of their own ({@link MischiefProcess}), each kind at a
 * steady rate, and counts of what they did and of the refusals that they saw.
 *
 * <p>Thread: one of its own for each kind.
 */
final class Mischief implements AutoCloseable {
  private static final int HELD = 50;

  /** What they do, and how often in a second. */
  enum Kind {
    /** Opens a session and forgets it. */
    NEVER_DELETE(20),
    /** Connects, sends half a request, and is gone with a reset. */
    RECONNECT(50),
    /** Asks for a long stream and reads none of it. */
    SLOW_READER(2),
    /** Begins a request and falls silent. */
    SILENT(5),
    /** Sends bytes that are no HTTP. */
    GARBAGE(20),
    /** Tries session ids. */
    GUESS(50),
    /** Tries keys. */
    NO_KEY(20);

    private final int perSecond;

    Kind(int perSecond) {
      this.perSecond = perSecond;
    }
  }

  private final int port;
  private final String key;
  private final Random random = new Random(42);
  private final Map<Kind, AtomicLong> thrown = new EnumMap<>(Kind.class);
  private final Map<Kind, AtomicLong> refused = new EnumMap<>(Kind.class);
  private final Map<Kind, Deque<McpSocket>> held = new EnumMap<>(Kind.class);
  private final ScheduledExecutorService threads =
      Executors.newScheduledThreadPool(Kind.values().length);

  Mischief(int port, String key) {
    this.port = port;
    this.key = key;
    for (Kind kind : Kind.values()) {
      thrown.put(kind, new AtomicLong());
      refused.put(kind, new AtomicLong());
      held.put(kind, new ArrayDeque<>());
      long pause = 1_000_000 / kind.perSecond;
      threads.scheduleAtFixedRate(() -> once(kind), pause, pause, TimeUnit.MICROSECONDS);
    }
  }

  /** Goes on until its standard input ends, then says what it did; given the port and the key. */
  public static void main(String[] arguments) throws IOException {
    try (Mischief mischief = new Mischief(Integer.parseInt(arguments[0]), arguments[1])) {
      while (System.in.read() >= 0) {
        // nothing is asked of it but to end
      }
      System.out.print(mischief.counts());
    }
  }

  private void once(Kind kind) {
    thrown.get(kind).incrementAndGet();
    try {
      act(kind);
    } catch (IOException | RuntimeException closed) {
      // a connection that is closed on them is a refusal, too
      refused.get(kind).incrementAndGet();
    }
  }

  private void act(Kind kind) throws IOException {
    switch (kind) {
      case NEVER_DELETE -> count(kind, open(key), 200);
      case RECONNECT -> McpSocket.raw(port, "POST /mcp HTTP/1.1\r\nHost: 127.0").reset();
      case SLOW_READER -> {
        McpSession session = McpSession.open(port, "/mcp", "2025-11-25", key);
        String params = "{\"name\":\"wait\",\"arguments\":{\"ms\":60000,\"ticks\":10000},";
        String call = params + "\"_meta\":{\"progressToken\":1}}";
        hold(kind, session.post(McpSession.request("1", "tools/call", call), key));
      }
      case SILENT ->
          hold(kind, McpSocket.raw(port, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n" + key));
      case GARBAGE -> {
        byte[] bytes = new byte[500];
        random.nextBytes(bytes);
        // the end of a head, so that something is to be said about it
        System.arraycopy("\r\n\r\n".getBytes(UTF_8), 0, bytes, bytes.length - 4, 4);
        count(kind, McpSocket.raw(port, bytes), 200);
      }
      case GUESS -> {
        String id = "Mcp-Session-Id: " + Long.toHexString(random.nextLong()) + "00000000000";
        count(
            kind,
            McpSocket.send(port, "GET", "/mcp", "", "Accept: text/event-stream", id, key),
            200);
      }
      case NO_KEY ->
          count(kind, open("X-Api-Key: guess-" + random.nextLong() + "-0123456789"), 200);
    }
  }

  private McpSocket open(String credentials) throws IOException {
    String accept = "Accept: " + McpSocket.BOTH;
    return McpSocket.send(
        port, "POST", "/mcp", McpSession.initialize("2025-11-25"), accept, credentials);
  }

  private void count(Kind kind, McpSocket answer, int fine) throws IOException {
    try (answer) {
      if (answer.status() != fine) {
        refused.get(kind).incrementAndGet();
      }
    }
  }

  /** Keeps some open, and lets the oldest go. */
  private void hold(Kind kind, McpSocket socket) throws IOException {
    Deque<McpSocket> kept = held.get(kind);
    kept.add(socket);
    if (kept.size() > HELD) {
      kept.remove().reset();
    }
  }

  /** One line for each kind. */
  String counts() {
    StringBuilder lines = new StringBuilder();
    for (Kind kind : Kind.values()) {
      lines.append(
          "%s thrown=%d refused=%d%n"
              .formatted(kind, thrown.get(kind).get(), refused.get(kind).get()));
    }
    return lines.toString();
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    try {
      threads.awaitTermination(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Deque<McpSocket> sockets : held.values()) {
      for (McpSocket socket : sockets) {
        socket.close();
      }
    }
  }
}
