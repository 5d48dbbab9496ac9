package io.fairlead.gateway.config;

import com.typesafe.config.ConfigUtil;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What came of reading a configuration: all of it, or every problem that was found. */
public sealed interface ConfigResult {

  /** One function per case. */
  <T> T fold(Function<Accepted, T> accepted, Function<Refused, T> refused);

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

    Accepted(GatewayConfig config, ConfigTree tree) {
      this.config = config;
      this.tree = tree;
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
    public <T> T fold(Function<Accepted, T> accepted, Function<Refused, T> refused) {
      return refused.apply(this);
    }
  }
}
