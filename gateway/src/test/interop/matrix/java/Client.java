import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * A row of the compatibility matrix: a stock Java client, {@code Client URL KEY HEADERS CELL...}. Cells, output and
 * questions are those of matrix-client.mjs. Uses only what all versions of the SDK have.
 */
public final class Client {
  private static final Duration TIMEOUT = Duration.ofSeconds(60); // of a busy machine
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20); // a cut call waits for it
  private static final BufferedReader IN = new BufferedReader(new InputStreamReader(System.in));

  private final URI url;
  private final String key;
  private final String headers;
  private final ConcurrentLinkedQueue<Integer> progress = new ConcurrentLinkedQueue<>();
  private volatile CountDownLatch progressed = new CountDownLatch(1);
  private McpAsyncClient client;

  private Client(String url, String key, String headers) {
    this.url = URI.create(url);
    this.key = key;
    this.headers = headers;
  }

  private interface Step {
    String run() throws Exception;
  }

  public static void main(String[] args) {
    Client row = new Client(args[0], args[1], args[2]);
    for (String cell : Arrays.asList(args).subList(3, args.length)) {
      String told;
      try {
        told = row.cell(cell);
      } catch (Throwable error) {
        told = failed(error);
      }
      System.out.println("{\"cell\":\"" + cell + "\"," + told + "}");
    }
    System.exit(0);
  }

  private String cell(String cell) throws Exception {
    switch (cell) {
      case "initialise":
        return initialise();
      case "list":
        List<String> names = new ArrayList<>();
        for (Tool tool : client.listTools().block(TIMEOUT).tools()) {
          names.add(tool.name());
        }
        return ok(names.containsAll(List.of("append", "ask")), String.join(",", names));
      case "progress":
        return append("progress", 200);
      case "cut":
        return append("cut", 1200);
      case "elicitation":
        String text = call("ask", Map.of("key", key + "-ask"), null);
        return ok(text.equals("Ada"), text);
      case "cancel":
        return cancel();
      case "expired":
        return gone("expire");
      case "offline":
        return gone("offline");
      case "idle":
        ask("idle");
        return attempt(() -> plain("idle"));
      default:
        client.closeGracefully().block(TIMEOUT);
        return "\"ok\":true";
    }
  }

  private String initialise() {
    HttpClientStreamableHttpTransport.Builder transport =
        HttpClientStreamableHttpTransport.builder(url.resolve("/").toString()).endpoint(url.getPath());
    Matcher header = Pattern.compile("\"([^\"]+)\" *: *\"([^\"]+)\"").matcher(headers);
    transport.httpRequestCustomizer(
        (request, method, uri, body, context) -> {
          header.reset();
          while (header.find()) {
            request.header(header.group(1), header.group(2));
          }
        });
    client =
        McpClient.async(transport.build())
            .clientInfo(new Implementation("matrix", "1"))
            .capabilities(ClientCapabilities.builder().elicitation().build())
            .elicitation(form -> Mono.just(new ElicitResult(ElicitResult.Action.ACCEPT, Map.of("name", "Ada"))))
            .progressConsumer(
                event -> {
                  progress.add(event.progress().intValue());
                  progressed.countDown();
                  return Mono.empty();
                })
            .requestTimeout(REQUEST_TIMEOUT)
            .initializationTimeout(TIMEOUT)
            .build();
    return ok(true, client.initialize().block(TIMEOUT).protocolVersion());
  }

  private String append(String name, int ms) {
    progress.clear();
    String text = call("append", Map.of("key", key + "-" + name, "ms", ms, "ticks", 4), name);
    // it hears of progress on another thread than of the result
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    while (progress.size() < 4 && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    List<Integer> heard = List.copyOf(progress);
    return ok(text.equals(key + "-" + name) && heard.equals(List.of(1, 2, 3, 4)), "progress " + heard);
  }

  private String plain(String name) {
    String text = call("append", Map.of("key", key + "-" + name, "ms", 10, "ticks", 0), null);
    return ok(text.equals(key + "-" + name), "");
  }

  private String cancel() throws Exception {
    progressed = new CountDownLatch(1);
    Map<String, Object> arguments = Map.of("key", key + "-cancel", "ms", 20_000, "ticks", 200);
    Disposable call =
        client.callTool(request("append", arguments, "cancel")).subscribe(result -> {}, error -> {});
    progressed.await(15, TimeUnit.SECONDS);
    call.dispose();
    return "\"ok\":" + ask("cancelled").equals("yes");
  }

  private String gone(String how) throws Exception {
    ask(how);
    String first = attempt(() -> plain("expired"));
    String then = "next";
    if (first.startsWith("\"ok\":false") && attempt(() -> plain("expired-again")).startsWith("\"ok\":false")) {
      then =
          attempt(
                      () -> {
                        initialise();
                        return plain("expired-anew");
                      })
                  .startsWith("\"ok\":true")
              ? "anew"
              : "stuck";
    }
    return first + ",\"then\":\"" + then + "\"";
  }

  private String call(String tool, Map<String, Object> arguments, String token) {
    CallToolResult result = client.callTool(request(tool, arguments, token)).block(TIMEOUT.plusSeconds(5));
    String text = ((TextContent) result.content().get(0)).text();
    if (Boolean.TRUE.equals(result.isError())) {
      throw new IllegalStateException(text);
    }
    return text;
  }

  private static CallToolRequest request(String tool, Map<String, Object> arguments, String token) {
    return new CallToolRequest(tool, arguments, token == null ? null : Map.of("progressToken", token));
  }

  private static String attempt(Step step) {
    try {
      return step.run();
    } catch (Throwable error) {
      return failed(error);
    }
  }

  private static String ask(String what) throws Exception {
    System.out.println("{\"ask\":\"" + what + "\"}");
    return IN.readLine();
  }

  private static String ok(boolean ok, String note) {
    return "\"ok\":" + ok + ",\"note\":\"" + escaped(note) + "\"";
  }

  private static String failed(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null && cause.getMessage() == null) {
      cause = cause.getCause();
    }
    return ok(false, String.valueOf(cause.getMessage() == null ? cause : cause.getMessage()));
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\s+", " ");
  }
}
