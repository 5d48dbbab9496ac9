package io.fairlead.gateway.config;

import com.typesafe.config.ConfigUtil;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What came of reading a configuration: all of it, or every problem that was found. */
public sealed interface ConfigResult {

  /** One function per case. */
  <T> T fold(Function<Accepted, T> accepted, Function<Refused, T> refused);

  /** The same for the same configuration, or for the same problems; shows no value of it. */
  String fingerprint();

  /**
   * For tests and for applications that write the configuration themselves.
   *
   * @throws InvalidConfig with every problem, one a line
   */
  default GatewayConfig orElseThrow() {
    return fold(
        Accepted::config,
        refused -> {
          throw new InvalidConfig(refused.text());
        });
  }

  /**
   * A configuration that may be used.
   *
   * <p>Thread: any.
   */
  final class Accepted implements ConfigResult {
    private final GatewayConfig config;
    private final ConfigTree tree;
    private final Includes includes;

    Accepted(GatewayConfig config, ConfigTree tree, Includes includes) {
      this.config = config;
      this.tree = tree;
      this.includes = includes;
    }

    public GatewayConfig config() {
      return config;
    }

    /** Every key with its value as HOCON that can be read again, secrets masked. */
    public String print() {
      return tree.print();
    }

    /**
     * A problem that only the reader of the configuration can know of, with its place.
     *
     * @param key the full key as a list of its parts
     */
    public ConfigProblem problem(List<String> key, String what, String remedy) {
      return new ConfigProblem(tree.where(key), ConfigUtil.joinPath(key), what, remedy);
    }

    /**
     * It is refused after all if a file that {@code before} included is still named, and is no
     * longer there or empty: somebody is writing it, or it was lost. Without this all that was in
     * it would silently be taken for removed.
     */
    public ConfigResult after(Accepted before) {
      List<ConfigProblem> problems =
          includes.vanishedSince(before.includes).stream()
              .map(
                  file ->
                      new ConfigProblem(
                          file,
                          "",
                          "is included and has vanished, or has become empty",
                          "put it back, or remove its include"))
              .toList();
      return problems.isEmpty() ? this : new Refused(problems);
    }

    /** It is refused after all, for a rule that only its user can check. */
    public Refused refuse(InvalidConfig broken) {
      Findings findings = new Findings(tree);
      findings.refuse(List.of(), broken);
      return new Refused(findings.problems());
    }

    @Override
    public String fingerprint() {
      // what is in force may differ in nothing but a file that is not there
      return digest(includes.names() + tree.secretText());
    }

    @Override
    public <T> T fold(Function<Accepted, T> accepted, Function<Refused, T> refused) {
      return accepted.apply(this);
    }
  }

  /** A configuration that is refused as a whole. */
  record Refused(List<ConfigProblem> problems) implements ConfigResult {
    public Refused {
      problems = List.copyOf(problems);
    }

    /** One problem a line. */
    public String text() {
      return problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n"));
    }

    @Override
    public String fingerprint() {
      return digest(text());
    }

    @Override
    public <T> T fold(Function<Accepted, T> accepted, Function<Refused, T> refused) {
      return refused.apply(this);
    }
  }

  private static String digest(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
