package io.fairlead.gateway.interop;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of a client against a gateway, through a proxy that cuts its call {@code cut}, and what
 * came of each cell.
 *
 * <p>Thread: the test's; the proxy's context where it says so. Owner: {@link #run}.
 */
final class MatrixRow {
  private static final AtomicInteger RUNS = new AtomicInteger();
  private static final Pattern SESSION = Pattern.compile("(?i)\nmcp-session-id: *(\\S+)");
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":\"gone?\",\"method\":\"ping\"}";
  private static final Duration IDLE = Duration.ofSeconds(3);

  private final Target target;
  private final String key = "key" + RUNS.incrementAndGet();
  private final Map<String, JsonObject> cells = new LinkedHashMap<>();
  private volatile String session = "";
  private volatile boolean cut;
  private volatile NodeProcess client;
  private CutProxy proxy;

  private MatrixRow(Target target) {
    this.target = target;
  }

  /**
   * A gateway, as a client sees it.
   *
   * @param path of the endpoint
   * @param headers that its clients send
   * @param ledger that its backend writes
   * @param restart starts its backend again
   */
  record Target(
      int port, String path, Map<String, String> headers, Ledger ledger, Runnable restart) {}

  /** Runs a client; what it said of each cell. */
  static Map<String, JsonObject> run(MatrixPeer peer, Target target, List<String> cells)
      throws Exception {
    MatrixRow row = new MatrixRow(target);
    Vertx vertx = Vertx.vertx();
    try (CutProxy proxy = CutProxy.start(vertx, target.port(), row::watch)) {
      row.proxy = proxy;
      String url = "http://127.0.0.1:" + proxy.port() + target.path();
      String headers = new JsonObject(Map.copyOf(target.headers())).encode();
      List<String> command = new ArrayList<>(peer.client(url, row.key, headers));
      command.addAll(cells);
      return row.run(command, cells);
    } finally {
      vertx.close().await();
    }
  }

  private Map<String, JsonObject> run(List<String> command, List<String> wanted) throws Exception {
    // what a client asks before it is known here
    List<String> questions = new ArrayList<>();
    try (NodeProcess started =
        NodeProcess.start(Map.of(), line -> hear(line, questions), "matrix-client", command)) {
      synchronized (questions) {
        client = started;
        questions.forEach(this::answer);
      }
      started.awaitEnd(BOUND);
      for (String cell : wanted) {
        if (!cells.containsKey(cell)) {
          System.err.println("no word of cell=" + cell + ": " + started.output());
          cells.put(cell, new JsonObject().put("ok", false).put("note", "no word"));
        }
      }
    }
    if (cells.containsKey("cut")) {
      JsonObject cell =
          cells.get("cut").put("executions", target.ledger().executions(key + "-cut"));
      if (cell.getBoolean("ok") && !cut) {
        cell.put("ok", false).put("note", "there was no cut");
      }
    }
    return cells;
  }

  private void hear(String line, List<String> questions) {
    if (!line.startsWith("{")) {
      return;
    }
    JsonObject said = new JsonObject(line);
    if (said.containsKey("cell")) {
      cells.put((String) said.remove("cell"), said);
    } else {
      synchronized (questions) {
        if (client == null) {
          questions.add(said.getString("ask"));
          return;
        }
      }
      answer(said.getString("ask"));
    }
  }

  private void answer(String question) {
    client.say(
        switch (question) {
          case "expire" -> endSession();
          case "cancelled" -> cancelled();
          case "restart" -> restart();
          case "offline" -> offline();
          default -> await(IDLE);
        });
  }

  private String endSession() {
    return "status " + status(request().DELETE());
  }

  /** A request of the client's session, past the proxy. */
  private HttpRequest.Builder request() {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + target.port() + target.path()))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .header("Mcp-Session-Id", session);
    target.headers().forEach(request::header);
    return request;
  }

  private static int status(HttpRequest.Builder request) {
    try {
      return HttpClient.newHttpClient()
          .send(request.build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (Exception e) {
      System.err.println("no answer past the proxy: " + e);
      return 0;
    }
  }

  /** Whether the call was cancelled at its backend, as long as that takes. */
  private String cancelled() {
    long end = System.nanoTime() + Duration.ofSeconds(15).toNanos();
    while (target.ledger().executions("cancelled " + key + "-cancel") == 0) {
      if (System.nanoTime() > end) {
        return "no";
      }
      await(Duration.ofMillis(20));
    }
    return "yes";
  }

  private String restart() {
    target.restart().run();
    return "done";
  }

  /** Takes the client's network away until its session has ended, which nothing then holds. */
  private String offline() {
    proxy.refuse(true);
    int status = 0;
    for (int tries = 0; status != 404 && tries < 5; tries++) {
      await(IDLE);
      status = status(request().POST(HttpRequest.BodyPublishers.ofString(PING)));
    }
    proxy.refuse(false);
    return "status " + status;
  }

  private static String await(Duration time) {
    try {
      Thread.sleep(time.toMillis());
      return "done";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /** Thread: the proxy's. */
  private void watch(CutProxy.Leg leg) {
    int[] ids = {0};
    leg.onAnswer(() -> note(leg.request()));
    leg.onId(
        id -> {
          // the client has seen the first id, which is the cursor that the stream begins with
          if (++ids[0] == 2 && leg.request().contains(key + "-cut")) {
            cut |= leg.sever(CutProxy.Cut.FIN);
          }
        });
  }

  private void note(String request) {
    Matcher header = SESSION.matcher(request);
    if (header.find()) {
      session = header.group(1);
    }
  }
}
