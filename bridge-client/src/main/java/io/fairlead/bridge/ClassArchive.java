package io.fairlead.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.archive.SampleRun;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the class archive of the bridge's jar: runs it for one session with a small server.
 *
 * <p>Thread: the main thread, and that of the server.
 */
public final class ClassArchive implements SampleRun.Session {
  private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
  private static final List<String> SESSION =
      List.of(
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
              + "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
              + "\"clientInfo\":{\"name\":\"archive\",\"version\":\"1\"}}}",
          "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}",
          "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}");

  private Optional<HttpServer> server = Optional.empty();

  private ClassArchive() {}

  public static void main(String[] arguments) throws InterruptedException {
    SampleRun.of(ClassArchive.class, "-XX:+UseSerialGC").archive(new ClassArchive());
  }

  @Override
  public List<String> open() throws IOException {
    HttpServer opened =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server = Optional.of(opened);
    opened.createContext("/", ClassArchive::answer);
    opened.start();
    return List.of("http://127.0.0.1:" + opened.getAddress().getPort() + "/mcp");
  }

  @Override
  public void hold(Process bridge, BufferedReader out) throws IOException {
    for (String message : SESSION) {
      bridge.getOutputStream().write((message + "\n").getBytes(UTF_8));
      bridge.getOutputStream().flush();
      if (out.readLine() == null) {
        throw new EOFException("the bridge ended");
      }
    }
    bridge.getOutputStream().close();
  }

  @Override
  public void close() {
    server.ifPresent(opened -> opened.stop(0));
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String request = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    Matcher id = ID.matcher(request);
    if (exchange.getRequestMethod().equals("GET")) {
      exchange.sendResponseHeaders(405, -1);
    } else if (!id.find()) {
      exchange.sendResponseHeaders(202, -1);
    } else {
      boolean stream = request.contains("tools/call");
      String answer =
          "{\"jsonrpc\":\"2.0\",\"id\":"
              + id.group(1)
              + ",\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
              + "\"serverInfo\":{\"name\":\"archive\",\"version\":\"1\"},\"tools\":[]}}";
      byte[] body = (stream ? "id: 1\ndata: " + answer + "\n\n" : answer).getBytes(UTF_8);
      String type = stream ? "text/event-stream" : "application/json";
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.getResponseHeaders().set("Mcp-Session-Id", "archive");
      exchange.getResponseHeaders().set("Fairlead-Instance", "archive");
      exchange.sendResponseHeaders(200, stream ? 0 : body.length);
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }
}
