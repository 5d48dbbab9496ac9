package io.fairlead.gateway;

import io.fairlead.archive.SampleRun;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Makes the class archive of the gateway's jar: runs it with the demo for one session, as {@code
 * --watch} does with a file.
 *
 * <p>Thread: the main thread.
 */
public final class ClassArchive implements SampleRun.Session {
  private static final String READY = "fairlead ready ";
  private static final String SESSION_ID = "Mcp-Session-Id";
  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final String INITIALIZE =
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
      "capabilities":{},"clientInfo":{"name":"archive","version":"1"}}}""";
  private static final List<String> REQUESTS =
      List.of(
          """
          {"jsonrpc":"2.0","method":"notifications/initialized"}""",
          """
          {"jsonrpc":"2.0","id":2,"method":"tools/list"}""",
          """
          {"jsonrpc":"2.0","id":3,"method":"tools/call",\
          "params":{"name":"add","arguments":{"a":1,"b":2}}}""");

  private final HttpClient client = HttpClient.newHttpClient();
  private Optional<Path> configuration = Optional.empty();

  private ClassArchive() {}

  public static void main(String[] arguments) throws InterruptedException {
    SampleRun.of(ClassArchive.class).archive(new ClassArchive());
  }

  @Override
  public List<String> open() throws IOException {
    Path file = Files.createTempFile("fairlead", ".conf");
    configuration = Optional.of(file);
    Files.writeString(file, "listen.port = 0");
    return List.of("serve", "--watch", "--config", file.toString());
  }

  @Override
  public void hold(Process gateway, BufferedReader out) throws IOException, InterruptedException {
    URI url = url(out);
    String session = post(url, INITIALIZE).headers().firstValue(SESSION_ID).orElse("");
    for (String request : REQUESTS) {
      post(url, request, SESSION_ID, session);
    }
    gateway.destroy();
  }

  /** The JVM may write to stdout too, before. */
  private static URI url(BufferedReader out) throws IOException {
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(READY)) {
        return URI.create(line.substring(READY.length()).split(" ")[0]);
      }
    }
    throw new EOFException("the gateway ended");
  }

  private HttpResponse<String> post(URI url, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .timeout(BOUND)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(BodyPublishers.ofString(body));
    HttpResponse<String> response =
        client.send(
            (headers.length == 0 ? request : request.headers(headers)).build(),
            BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw new IOException("status=" + response.statusCode() + " for " + body);
    }
    return response;
  }

  @Override
  public void close() throws IOException {
    if (configuration.isPresent()) {
      Files.deleteIfExists(configuration.get());
    }
  }
}
