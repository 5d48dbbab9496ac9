package io.fairlead.gateway.interop;

import io.fairlead.gateway.StartFigures;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A host that is no SDK: it starts a server over stdio, and sees each answer as it was written.
 *
 * <p>Thread: the test's; answers complete on the reader's. Owner: the test that started it.
 */
final class StdioHost implements AutoCloseable {
  private static final String REVISION = "2025-11-25";

  private final Process server;
  private final Map<Integer, CompletableFuture<JsonObject>> waiting = new ConcurrentHashMap<>();
  private int requests;

  private StdioHost(Process server) {
    this.server = server;
    Thread reader = new Thread(this::read, "host-stdout");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts the server, and does the handshake.
   *
   * @param errors gets what the server says on its standard error
   */
  static StdioHost start(List<String> command, Map<String, String> env, Path errors)
      throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
    builder.environment().putAll(env);
    StdioHost host = new StdioHost(builder.start());
    JsonObject client = new JsonObject().put("name", "host").put("version", "1");
    JsonObject params =
        new JsonObject()
            .put("protocolVersion", REVISION)
            .put("capabilities", new JsonObject())
            .put("clientInfo", client);
    host.request("initialize", params).get(60, TimeUnit.SECONDS);
    host.write(new JsonObject().put("method", "notifications/initialized"));
    return host;
  }

  /** Completes with the whole answer, or fails when the server ends first. */
  CompletableFuture<JsonObject> request(String method, JsonObject params) {
    int id = ++requests;
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    write(new JsonObject().put("id", id).put("method", method).put("params", params));
    return answer;
  }

  /** Calls the ledger's {@code append}. */
  CompletableFuture<JsonObject> append(String key, int millis) {
    JsonObject arguments = new JsonObject().put("key", key).put("ms", millis).put("ticks", 4);
    JsonObject params =
        new JsonObject()
            .put("name", "append")
            .put("arguments", arguments)
            .put("_meta", new JsonObject().put("progressToken", key));
    return request("tools/call", params);
  }

  long pid() {
    return server.pid();
  }

  /** The resident memory of the server, in MiB. */
  long residentMebibytes() throws IOException {
    return StartFigures.residentMebibytes(server.pid());
  }

  /** Ends the server's input, and waits for its end. */
  void leave() throws Exception {
    server.getOutputStream().close();
    if (!server.waitFor(10, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the server did not end in 10 s after its input did");
    }
  }

  /** Kills the server. */
  @Override
  public void close() {
    server.destroyForcibly();
  }

  private void write(JsonObject message) {
    try {
      OutputStream to = server.getOutputStream();
      String line = message.put("jsonrpc", "2.0").encode() + "\n";
      to.write(line.getBytes(StandardCharsets.UTF_8));
      to.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    try (BufferedReader from =
        new BufferedReader(
            new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = from.readLine(); line != null; line = from.readLine()) {
        JsonObject message = new JsonObject(line);
        if (message.containsKey("id") && !message.containsKey("method")) {
          waiting.remove(message.getInteger("id")).complete(message);
        }
      }
    } catch (IOException e) {
      server.destroyForcibly();
    }
    IOException ended = new IOException("the server ended");
    waiting.values().forEach(answer -> answer.completeExceptionally(ended));
  }
}
