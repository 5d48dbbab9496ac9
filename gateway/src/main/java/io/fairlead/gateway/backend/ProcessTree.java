package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/**
 * A child process and all that it started, so that they can be ended together. Descendants are
 * found by parentage, and on Linux also by a mark in their environment: a process whose parent died
 * first is no longer anybody's descendant.
 *
 * <p>Thread: the stop thread of {@link ChildProcess} alone; {@link #end} blocks.
 */
final class ProcessTree {
  /** Name of the environment variable that carries the mark. */
  static final String MARK = "FAIRLEAD_CHILD";

  private static final Duration KILL_WAIT = Duration.ofSeconds(5);
  private static final long POLL_MILLIS = 10;

  private final ProcessHandle root;
  private final String mark;
  private final Set<ProcessHandle> members = new LinkedHashSet<>();

  /** A value for the mark that no other child has. */
  static String newMark() {
    return UUID.randomUUID().toString();
  }

  ProcessTree(ProcessHandle root, String mark) {
    this.root = root;
    this.mark = MARK + "=" + mark;
    collect();
  }

  /** Waits for the root, then SIGTERM to all, a wait, SIGKILL to all. */
  void end(Duration wait) throws InterruptedException {
    goneWithin(Set.of(root), wait);
    collect();
    members.forEach(ProcessHandle::destroy);
    if (!goneWithin(members, wait)) {
      collect();
      members.forEach(ProcessHandle::destroyForcibly);
      goneWithin(members, KILL_WAIT);
    }
  }

  private void collect() {
    members.add(root);
    root.descendants().forEach(members::add);
    ProcessHandle.allProcesses().filter(this::isMarked).forEach(members::add);
  }

  private boolean isMarked(ProcessHandle process) {
    try {
      Path environment = Path.of("/proc", Long.toString(process.pid()), "environ");
      return new String(Files.readAllBytes(environment), ISO_8859_1).contains(mark);
    } catch (IOException e) {
      return false; // gone meanwhile, somebody else's, or not Linux
    }
  }

  private boolean goneWithin(Set<ProcessHandle> processes, Duration bound)
      throws InterruptedException {
    long end = System.nanoTime() + bound.toNanos();
    while (!processes.stream().allMatch(this::isGone)) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      Thread.sleep(POLL_MILLIS);
    }
    return true;
  }

  /** The root is collected by this process; the rest by whoever inherits it, if anybody does. */
  private boolean isGone(ProcessHandle process) {
    return process.equals(root) ? !process.isAlive() : hasEnded(process);
  }

  /** Whether it runs no more, even if nobody collects it (a container without an init). */
  static boolean hasEnded(ProcessHandle process) {
    try {
      Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
      String text = new String(Files.readAllBytes(stat), ISO_8859_1);
      boolean zombie = text.startsWith("Z", text.lastIndexOf(')') + 2);
      return zombie || !process.isAlive();
    } catch (IOException e) {
      return !process.isAlive();
    }
  }
}
