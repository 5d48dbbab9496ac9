package io.fairlead.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a process that is no child of the test's has ended. */
final class Ended {
  private Ended() {}

  /** Whether it runs no more, even if nobody collects it (a container without an init). */
  static boolean hasEnded(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (IOException gone) {
      return !process.isAlive();
    }
  }
}
