package io.fairlead.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;

/**
 * Makes the class archive with which a jar starts in half the time: runs the jar once, and lets the
 * JVM write down the classes that it needed. It fits this jar at this place and this JVM; with any
 * other the jar starts without it.
 *
 * <p>Thread: the main thread, and a timer that ends a run which does not end by itself.
 */
public final class SampleRun {
  private static final int SECONDS = 60;

  private final Path jar;
  private final List<String> flags;

  private SampleRun(Path jar, List<String> flags) {
    this.jar = jar;
    this.flags = flags;
  }

  /** What the jar is started with, what is asked of it, and how it is told to end. */
  public interface Session extends AutoCloseable {

    /** Answers with the arguments of the jar. */
    List<String> open() throws IOException;

    /**
     * @param process of the jar
     * @param out what it writes to stdout
     */
    void hold(Process process, BufferedReader out) throws IOException, InterruptedException;

    /** Is called whatever happened before. */
    @Override
    void close() throws IOException;
  }

  /**
   * @param inJar a class of the jar
   * @param flags of the JVM that the archive is to be used with too
   */
  public static SampleRun of(Class<?> inJar, String... flags) {
    try {
      Path jar = Path.of(inJar.getProtectionDomain().getCodeSource().getLocation().toURI());
      return new SampleRun(jar.toAbsolutePath(), List.of(flags));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Puts the archive beside the jar. That there is none is a pity, and no failure. */
  public void archive(Session session) throws InterruptedException {
    Path archive = Path.of(jar.toString().replaceFirst("\\.jar$", "") + ".jsa");
    Path fresh = Path.of(archive + ".new");
    try {
      try (session) {
        run(fresh, session);
        Files.move(fresh, archive, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(fresh);
      }
    } catch (IOException e) {
      System.err.println("no class archive was made, the jar starts without one: " + e);
    }
  }

  private void run(Path archive, Session session) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:ArchiveClassesAtExit=" + archive);
    command.add("-Xlog:disable");
    command.addAll(flags);
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(session.open());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    Timer bound = new Timer(true);
    bound.schedule(ending(process), TimeUnit.SECONDS.toMillis(SECONDS));
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      session.hold(process, out);
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException("the run ended with exit code=" + code);
      }
    } finally {
      bound.cancel();
      process.destroyForcibly();
    }
  }

  private static TimerTask ending(Process process) {
    return new TimerTask() {
      @Override
      public void run() {
        process.destroyForcibly();
      }
    };
  }
}
