package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A stdio MCP server, run as a child process: its one tool writes its key into a file, which is the
 * execution, and answers a little later.
 *
 * <p>Thread: the main thread of its own process, and one that answers.
 */
final class StormServer {
  private static final Pattern ID = Pattern.compile("\"id\":(\"[^\"]*\"|\\d+)");
  private static final Pattern METHOD = Pattern.compile("\"method\":\"([^\"]*)\"");
  private static final Pattern KEY = Pattern.compile("\"key\":\"(k(\\d+))\"");
  private static final int LONGEST_MILLIS = 30;

  private StormServer() {}

  /** Its command: the words after which comes nothing but the file. */
  static List<String> command(Path ledger) {
    try {
      String place =
          new File(StormServer.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .getPath();
      return List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xshare:auto",
          "-Xmx32m",
          "-cp",
          place,
          StormServer.class.getName(),
          ledger.toString());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path ledger = Path.of(arguments[0]);
    ScheduledExecutorService later = Executors.newScheduledThreadPool(1);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Matcher id = ID.matcher(line);
      Matcher method = METHOD.matcher(line);
      if (!id.find() || !method.find()) {
        continue;
      }
      Matcher key = KEY.matcher(line);
      int wait = 0;
      String result = "{}";
      if (method.group(1).equals("initialize")) {
        result =
            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                + "\"serverInfo\":{\"name\":\"storm\",\"version\":\"1\"}}";
      } else if (method.group(1).equals("tools/list")) {
        result = "{\"tools\":[{\"name\":\"run\",\"inputSchema\":{\"type\":\"object\"}}]}";
      } else if (method.group(1).equals("tools/call") && key.find()) {
        Files.writeString(ledger, key.group(1) + "\n", StandardOpenOption.APPEND);
        wait = Integer.parseInt(key.group(2)) * 7 % LONGEST_MILLIS;
        result = "{\"content\":[{\"type\":\"text\",\"text\":\"done " + key.group(1) + "\"}]}";
      }
      String answer = "{\"jsonrpc\":\"2.0\",\"id\":" + id.group(1) + ",\"result\":" + result + "}";
      later.schedule(() -> System.out.println(answer), wait, TimeUnit.MILLISECONDS);
    }
    later.shutdownNow();
  }
}
