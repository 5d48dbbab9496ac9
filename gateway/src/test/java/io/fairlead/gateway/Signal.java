package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Signals to processes. A test is skipped where its signal is ignored, which processes inherit:
 * nohup ignores SIGHUP, and a shell SIGINT for what it starts in the background.
 *
 * <p>Thread: the test's.
 */
public enum Signal {
  HUP(1),
  INT(2),
  TERM(15),
  CONT(18),
  STOP(19);

  private final int number;

  Signal(int number) {
    this.number = number;
  }

  public void send(Process process) throws IOException, InterruptedException {
    Path status = Path.of("/proc", "" + process.pid(), "status");
    assumeFalse(Files.exists(status) && isIgnored(status), () -> "SIG" + this + " is ignored");
    Process kill = new ProcessBuilder("kill", "-" + this, "" + process.pid()).inheritIO().start();
    assertEquals(0, kill.waitFor());
  }

  private boolean isIgnored(Path status) throws IOException {
    return Files.readString(status)
        .lines()
        .filter(line -> line.startsWith("SigIgn:"))
        .map(line -> Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16))
        .anyMatch(ignored -> (ignored >>> number - 1) % 2 != 0);
  }
}
