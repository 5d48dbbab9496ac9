package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a shell offers after {@code source <(fairlead completion)}. */
class CompletionTest {
  @TempDir Path directory;
  private Path script;

  @BeforeEach
  void write() throws IOException {
    script = Files.writeString(directory.resolve("fairlead.bash"), print("completion"));
  }

  private static String print(String command) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
    assertEquals(0, new Cli(printed, printed, (loading, watched) -> 1).run(command));
    return out.toString(StandardCharsets.UTF_8);
  }

  /** What completing the last of {@code words} offers. */
  private Set<String> offered(String shell, String prelude, String... words) throws Exception {
    String line = String.join(" ", words);
    String program =
        "%s\nsource '%s'\nCOMP_WORDS=(%s)\nCOMP_CWORD=%d\nCOMP_LINE='%s'\nCOMP_POINT=%d\n_complete_fairlead fairlead '%s' '%s'\nprintf '%%s\\n' \"${COMPREPLY[@]}\"\n"
            .formatted(
                prelude,
                script,
                List.of(words).stream().map(w -> "'" + w + "'").collect(Collectors.joining(" ")),
                words.length - 1,
                line,
                line.length(),
                words[words.length - 1],
                words[words.length - 2]);
    Process process;
    try {
      process =
          new ProcessBuilder(shell, "-c", program)
              .directory(directory.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException absent) {
      assumeTrue(false, "there is no " + shell);
      throw absent;
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said.lines().map(String::strip).filter(l -> !l.isEmpty()).collect(Collectors.toSet());
  }

  @Test
  void bashCompletesCommandsAndFlags() throws Exception {
    assertEquals(Set.of("check"), offered("bash", "", "fairlead", "che"));
    assertEquals(Set.of("--watch"), offered("bash", "", "fairlead", "serve", "--wa"));
    assertEquals(Set.of("print-config"), offered("bash", "", "fairlead", "--port", "0", "pri"));
  }

  /** The shell's own completion of names, which comes when the script has nothing to offer. */
  @Test
  void nameOfTheFileIsLeftToTheShell() throws Exception {
    assertEquals(Set.of(), offered("bash", "", "fairlead", "-c", "gate"));
    assertTrue(
        Files.readString(script).contains("complete -F _complete_fairlead -o default fairlead"));
  }

  /** All that the help names is offered, so neither can go without the other. */
  @Test
  void everythingThatTheHelpNamesIsOffered() throws Exception {
    String help = print("--help");
    Set<String> named =
        Pattern.compile("(?m)^  (?:-\\w, )?\\s*(--[\\w-]+|-D)\\b|^  ([a-z][a-z-]+)  ")
            .matcher(help)
            .results()
            .map(CompletionTest::name)
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(named.containsAll(Set.of("--watch", "-D", "check", "completion")), help);
    Set<String> all = new TreeSet<>(offered("bash", "", "fairlead", "-"));
    all.addAll(offered("bash", "", "fairlead", ""));
    named.removeAll(all);
    assertEquals(Set.of(), named);
  }

  private static String name(MatchResult found) {
    return found.group(1) == null ? found.group(2) : found.group(1);
  }

  @Test
  void zshTakesTheSameScript() throws Exception {
    assertEquals(
        Set.of("check"),
        offered("zsh", "autoload -Uz compinit bashcompinit; setopt ksh_arrays", "fairlead", "che"));
  }
}
