package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.config.ConfigLoader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code conf/fairlead.service} starts, reloads and stops what the command line is. */
class SystemdUnitTest {
  private static final Path UNIT = Path.of("../conf/fairlead.service");

  private static String value(String key) throws IOException {
    Matcher line = Pattern.compile("(?m)^" + key + "=(.*)$").matcher(Files.readString(UNIT));
    assertTrue(line.find(), key);
    return line.group(1);
  }

  @Test
  void commandIsUnderstood() throws Exception {
    List<String> command = List.of(value("ExecStart").split(" "));
    List<String> flags =
        command.subList(command.indexOf("/opt/fairlead/fairlead.jar") + 1, command.size());
    PrintStream nowhere = new PrintStream(new ByteArrayOutputStream());
    Path[] watched = new Path[1];
    Cli cli =
        new Cli(
            nowhere,
            nowhere,
            (loading, files) -> {
              watched[0] = files.map(Watched::file).orElseThrow();
              return 0;
            });
    assertEquals(0, cli.run(flags.toArray(String[]::new)));
    assertEquals(Optional.of(Path.of("/etc/fairlead/gateway.conf")), Optional.of(watched[0]));
  }

  @Test
  void stopWaitsLongerThanTheDrain() throws Exception {
    Duration stop = Duration.ofSeconds(Long.parseLong(value("TimeoutStopSec").replace("s", "")));
    Duration drain = ConfigLoader.defaults().drain();
    assertTrue(stop.compareTo(drain.plusSeconds(5)) > 0, () -> "stop=" + stop + " drain=" + drain);
  }

  @Test
  void whatStaysWrongIsNotStartedAgain() throws Exception {
    assertEquals("2 " + ExitCode.CONFIGURATION, value("RestartPreventExitStatus"));
    assertEquals("/bin/kill -HUP $MAINPID", value("ExecReload"));
  }
}
