package io.fairlead.gateway.http;

import io.fairlead.wire.RpcError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The reasons that the sources give for outcomes and errors, read from their text.
 *
 * <p>Thread: any; stateless.
 */
final class SourceReasons {
  private static final Path CLIENT = Path.of("../bridge-client/src/main/java/io/fairlead/client");
  private static final Path GATEWAY = Path.of("src/main/java/io/fairlead/gateway");
  private static final Pattern STATE =
      Pattern.compile("Outcome\\.State\\.(\\w+),\\s*(\\w+ \\? \"\\w+\" : )?\"(\\w+)\"");
  private static final Pattern EITHER =
      Pattern.compile("Outcome\\.State\\.(\\w+),\\s*\\w+ \\? \"(\\w+)\"");
  private static final Pattern UNKNOWN =
      Pattern.compile("\\b(?:unknown|lose|skip)\\((?:[^;{\"]*,)?\\s*\"(\\w+)\"");
  private static final Pattern NOT_DISPATCHED =
      Pattern.compile("\\b(?:notDispatched|BackendFailure|LinkFailure)\\(\\s*\"(\\w+)\"");
  private static final Pattern REFUSED = Pattern.compile("\\brefused\\(\\s*\"(\\w+)\"");
  private static final Pattern ERROR =
      Pattern.compile("(?:refused|RpcError\\.of)\\(\\s*RpcError\\.(\\w+),\\s*\"(\\w+)\"");
  private static final Pattern OWN_ERROR =
      Pattern.compile("Answers\\.error\\(request\\.id\\(\\), \"(\\w+)\"");

  /** Errors that go to a backend, which asked something that nobody can answer. */
  private static final List<String> TOWARDS_BACKENDS =
      List.of("OpenLink.java", "ToClient.java", "ServerRequests.java");

  private SourceReasons() {}

  /** State and reason of each outcome that a call may get. */
  static Set<String> outcomes() throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path source : sources()) {
      String text = Files.readString(source);
      collect(STATE, text, found, at -> state(at) + at.group(3));
      collect(EITHER, text, found, at -> state(at) + at.group(2));
      collect(UNKNOWN, text, found, at -> "unknown " + at.group(1));
      collect(NOT_DISPATCHED, text, found, at -> "not_dispatched " + at.group(1));
      if (source.getParent().endsWith("backend")) {
        collect(REFUSED, text, found, at -> "not_dispatched " + at.group(1));
      }
    }
    return found;
  }

  /** Code and reason of each error that the gateway itself gives to a client. */
  static Set<String> errors() throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path source : sources()) {
      if (!TOWARDS_BACKENDS.contains(source.getFileName().toString())) {
        String text = Files.readString(source);
        collect(ERROR, text, found, at -> code(at.group(1)) + " " + at.group(2));
        collect(OWN_ERROR, text, found, at -> RpcError.INTERNAL + " " + at.group(1));
      }
    }
    return found;
  }

  private static void collect(
      Pattern pattern, String text, Set<String> found, Function<MatchResult, String> name) {
    pattern.matcher(text).results().map(name).forEach(found::add);
  }

  private static String state(MatchResult at) {
    return at.group(1).toLowerCase(Locale.ROOT) + " ";
  }

  private static int code(String constant) {
    try {
      return RpcError.class.getField(constant).getInt(null);
    } catch (ReflectiveOperationException failure) {
      throw new AssertionError(constant, failure);
    }
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> client = Files.walk(CLIENT);
        Stream<Path> gateway = Files.walk(GATEWAY)) {
      return Stream.concat(client, gateway)
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.getFileName().toString().equals("Listing.java"))
          .sorted()
          .toList();
    }
  }
}
