package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/embedding.md, compiled and run as a process of its own. */
class EmbeddedExampleIT {
  private static final Path SOURCES = Path.of("../examples/embedded/src/main/java");
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @TempDir private Path directory;

  @Test
  @DisplayName("the example compiles without a warning, serves its page, its tools and its service")
  void exampleIsCompiledAndServes() throws Exception {
    compile();
    Process process = run();
    try (BufferedReader out = process.inputReader()) {
      String line = out.readLine();
      assertNotNull(line, "it ended");
      int port = Integer.parseInt(line.replaceFirst("listening http://127.0.0.1:(\\d+)/mcp", "$1"));
      try (McpSocket page = McpSocket.send(port, "GET", "/", "")) {
        assertEquals("The shop is open.", page.body());
      }
      McpSocket.send(port, "GET", "/readyz", "").expect(200);
      McpSession session = McpSession.open(port);
      String packed = call(session, "shop__pack", "{\"items\":2}");
      assertTrue(packed.contains("\"progress\":1,") && packed.contains("packed 2"), packed);
      String found = call(session, "orders__find", "{\"number\":7}");
      assertTrue(found.contains("\"state\":\"paid\""), found);
      for (String odd : List.of("{}", "{\"number\":\"7\"}", "{\"number\":{}}")) {
        String failed = call(session, "orders__find", odd);
        assertTrue(failed.contains("Say which: number must be an integer."), failed);
      }
      String unpacked = call(session, "shop__pack", "{\"items\":\"2\"}");
      assertTrue(unpacked.contains("items must be an integer."), unpacked);
      String stock = call(session, "shop__stock", "{}");
      assertTrue(stock.contains("\"items\":42"), stock);
      assertTrue(refund(session).contains("refunded"));
      session.delete().expect(204);
    } finally {
      process.destroy();
      assertTrue(process.waitFor(20, TimeUnit.SECONDS), "it does not end");
    }
  }

  private static String call(McpSession session, String tool, String arguments) throws IOException {
    try (McpSocket post = session.post(request(tool, arguments))) {
      return post.rest().toString();
    }
  }

  private static String request(String tool, String arguments) {
    return McpSession.request(
        "1",
        "tools/call",
        "{\"name\":\""
            + tool
            + "\",\"arguments\":"
            + arguments
            + ",\"_meta\":{\"progressToken\":\"p\"}}");
  }

  /** The user is asked, and agrees. */
  private static String refund(McpSession session) throws IOException {
    try (McpSocket post = session.post(request("shop__refund", "{\"number\":7}"))) {
      JsonObject question = new JsonObject(post.message().data());
      assertEquals("elicitation/create", question.getString("method"));
      session
          .post(
              new JsonObject()
                  .put("jsonrpc", "2.0")
                  .put("id", question.getValue("id"))
                  .put("result", new JsonObject().put("action", "accept"))
                  .encode())
          .expect(202);
      return post.rest().toString();
    }
  }

  private void compile() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> sources = Files.walk(SOURCES)) {
      List<Path> java = sources.filter(file -> file.toString().endsWith(".java")).toList();
      List<String> options =
          new ArrayList<>(List.of("-d", directory.toString(), "-cp", CLASS_PATH));
      options.addAll(List.of("--release", "17", "-Xlint:all,-processing,-classfile", "-Werror"));
      options.addAll(List.of("-proc:none"));
      boolean good =
          compiler
              .getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(java))
              .call();
      assertTrue(good, said::toString);
    }
  }

  private Process run() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            directory + File.pathSeparator + CLASS_PATH,
            "-Dshop.port=0",
            "-Dlogback.configurationFile=" + Path.of("src/test/resources/logback-test.xml").toUri(),
            "example.Shop")
        .redirectError(directory.resolve("err.txt").toFile())
        .start();
  }
}
