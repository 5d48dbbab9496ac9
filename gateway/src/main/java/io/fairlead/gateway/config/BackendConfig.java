package io.fairlead.gateway.config;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** One configured backend. */
public sealed interface BackendConfig {

  /** The prefix of its names when several backends are offered; empty: its own name. */
  Optional<String> prefix();

  /** How long a dispatched call may take; empty: no deadline. */
  Optional<CallTimeout> callTimeout();

  /** Tools in this process: the demo, or what the embedding application registered. */
  record Local(Optional<String> prefix, Optional<CallTimeout> callTimeout)
      implements BackendConfig {
    public Local {
      BackendChecks.common(prefix).done();
    }
  }

  /**
   * A server that speaks Streamable HTTP.
   *
   * @param url its MCP endpoint; the query is a secret
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
      Optional<CallTimeout> callTimeout)
      implements BackendConfig {
    public Http {
      headers = Collections.unmodifiableMap(new TreeMap<>(headers));
      Checks checks = BackendChecks.common(prefix);
      BackendChecks.url(checks, url);
      BackendChecks.headers(checks, headers, principalHeader);
      checks
          .period("connect-timeout", connectTimeout)
          .between("max-message", maxMessage, 1, BackendChecks.LARGEST_MESSAGE)
          .done();
    }

    @Override
    public String toString() {
      return "Http[url=%s, headers=%s, connectTimeout=%s, maxMessage=%d, principalHeader=%s, prefix=%s, callTimeout=%s]"
          .formatted(
              Masked.url(url),
              Masked.values(headers),
              connectTimeout,
              maxMessage,
              principalHeader,
              prefix,
              callTimeout);
    }
  }

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
      Optional<CallTimeout> callTimeout)
      implements BackendConfig {
    public Stdio {
      command = List.copyOf(command);
      env = Collections.unmodifiableMap(new TreeMap<>(env));
      Checks checks = BackendChecks.common(prefix);
      BackendChecks.command(checks, command);
      BackendChecks.env(checks, env);
      checks
          .atLeast("max-children", maxChildren, 1)
          .period("start-timeout", startTimeout)
          .wait("stop-timeout", stopTimeout)
          .between("max-message", maxMessage, 1, BackendChecks.LARGEST_MESSAGE)
          .done();
    }

    @Override
    public String toString() {
      return "Stdio[command=%s, env=%s, workingDirectory=%s, shared=%s, maxChildren=%d, startTimeout=%s, stopTimeout=%s, maxMessage=%d, prefix=%s, callTimeout=%s]"
          .formatted(
              command,
              Masked.values(env),
              workingDirectory,
              shared,
              maxChildren,
              startTimeout,
              stopTimeout,
              maxMessage,
              prefix,
              callTimeout);
    }
  }

  /**
   * Consumers on the event bus of the application around the gateway.
   *
   * @param tools by name
   * @param maxPending requests without a reply, those included whose call has ended
   */
  record EventBus(
      Map<String, EventBusTool> tools,
      int maxPending,
      Optional<String> prefix,
      Optional<CallTimeout> callTimeout)
      implements BackendConfig {
    public EventBus {
      tools = Collections.unmodifiableMap(new TreeMap<>(tools));
      BackendChecks.common(prefix)
          .rule(
              !tools.isEmpty(),
              "tools",
              "is empty",
              "write a tool: tools { find_order { address = \"orders.find\" } }")
          .atLeast("max-pending", maxPending, 1)
          .done();
    }
  }

  /** One function per case. */
  default <T> T fold(
      Function<Local, T> local,
      Function<Http, T> http,
      Function<Stdio, T> stdio,
      Function<EventBus, T> eventBus) {
    if (this instanceof Local found) {
      return local.apply(found);
    }
    if (this instanceof Http found) {
      return http.apply(found);
    }
    return this instanceof Stdio found ? stdio.apply(found) : eventBus.apply((EventBus) this);
  }
}
