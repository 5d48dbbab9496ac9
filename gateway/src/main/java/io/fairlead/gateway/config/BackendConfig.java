package io.fairlead.gateway.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** One configured backend. */
public sealed interface BackendConfig {

  /** The prefix of its names when several backends are offered; empty: its own name. */
  Optional<String> prefix();

  /** How long a dispatched call may take; empty: no deadline. */
  Optional<Duration> callTimeout();

  /** Tools in this process: the demo, or what the embedding application registered. */
  record Local(Optional<String> prefix, Optional<Duration> callTimeout) implements BackendConfig {}

  /**
   * A server that speaks Streamable HTTP.
   *
   * @param headers sent with every request; values are secrets
   * @param connectTimeout bound of one TCP connect
   * @param maxMessage bytes of one message from the server
   * @param principalHeader header that names who asks; empty: none
   */
  record Http(
      String url,
      Map<String, String> headers,
      Duration connectTimeout,
      int maxMessage,
      Optional<String> principalHeader,
      Optional<String> prefix,
      Optional<Duration> callTimeout)
      implements BackendConfig {}

  /**
   * A child process that speaks MCP on its standard input and output.
   *
   * @param env added to the child's small environment; values are secrets
   * @param workingDirectory the child's directory; empty: the gateway's
   * @param shared one child for everybody, else one per session
   * @param startTimeout bound of the child's initialize
   * @param stopTimeout wait after end of input, and again after SIGTERM
   * @param maxMessage bytes of one line from the child
   */
  record Stdio(
      List<String> command,
      Map<String, String> env,
      Optional<String> workingDirectory,
      boolean shared,
      int maxChildren,
      Duration startTimeout,
      Duration stopTimeout,
      int maxMessage,
      Optional<String> prefix,
      Optional<Duration> callTimeout)
      implements BackendConfig {}

  /** One function per case. */
  default <T> T fold(Function<Local, T> local, Function<Http, T> http, Function<Stdio, T> stdio) {
    if (this instanceof Local found) {
      return local.apply(found);
    }
    return this instanceof Http found ? http.apply(found) : stdio.apply((Stdio) this);
  }
}
