package io.fairlead.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the class archive with which the bridge starts in half the time: runs the jar once, for one
 * session with a small server, and lets the JVM write down the classes that it needed. It fits this
 * jar at this place and this JVM; with any other the bridge starts without it.
 *
 * <p>Thread: the main thread, and that of the server.
 */
public final class ClassArchive {
  private static final int SECONDS = 60;
  private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
  private static final List<String> SESSION =
      List.of(
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
              + "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
              + "\"clientInfo\":{\"name\":\"archive\",\"version\":\"1\"}}}",
          "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}",
          "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}");

  private ClassArchive() {}

  /** Where it is put: beside the jar. That there is none is a pity, and no failure. */
  public static void main(String[] arguments) throws InterruptedException {
    Path jar = jar();
    Path archive = Path.of(jar.toString().replaceFirst("\\.jar$", "") + ".jsa");
    try {
      make(jar, archive);
    } catch (IOException e) {
      System.err.println("no class archive was made: " + e.getMessage());
    }
  }

  private static Path jar() {
    try {
      return Path.of(ClassArchive.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toAbsolutePath();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void make(Path jar, Path archive) throws IOException, InterruptedException {
    Path fresh = Path.of(archive + ".new");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", ClassArchive::answer);
    server.start();
    try {
      run(jar, fresh, "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
      Files.move(fresh, archive, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      server.stop(0);
      Files.deleteIfExists(fresh);
    }
  }

  /** What the archive is made with has to be what it is used with. */
  private static void run(Path jar, Path archive, String url)
      throws IOException, InterruptedException {
    Process bridge =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:ArchiveClassesAtExit=" + archive,
                "-Xlog:disable",
                "-XX:+UseSerialGC",
                "-jar",
                jar.toString(),
                url)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(bridge.getInputStream(), UTF_8))) {
      for (String message : SESSION) {
        bridge.getOutputStream().write((message + "\n").getBytes(UTF_8));
        bridge.getOutputStream().flush();
        if (out.readLine() == null) {
          throw new IOException("the bridge ended: exit code=" + bridge.waitFor());
        }
      }
      bridge.getOutputStream().close();
      if (!bridge.waitFor(SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("the bridge did not end within s=" + SECONDS);
      }
    } finally {
      bridge.destroyForcibly();
    }
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
