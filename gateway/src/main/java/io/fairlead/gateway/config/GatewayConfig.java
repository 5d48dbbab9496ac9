package io.fairlead.gateway.config;

import com.typesafe.config.ConfigUtil;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The whole configuration, checked and immutable.
 *
 * @param drain how long calls in flight may take after SIGTERM
 * @param backends by name, in the order of their names
 * @param reloadPeriod how often a watched configuration is read
 */
public record GatewayConfig(
    ListenConfig listen,
    SessionsConfig sessions,
    EventsConfig events,
    LimitsConfig limits,
    Duration drain,
    AuthConfig auth,
    Map<String, BackendConfig> backends,
    ManagementConfig management,
    Duration reloadPeriod) {
  private static final Pattern BACKEND_NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

  public GatewayConfig {
    backends = Collections.unmodifiableMap(new TreeMap<>(backends));
    Checks checks =
        new Checks().wait("shutdown.drain", drain).period("reload.period", reloadPeriod);
    checkAddresses(checks, listen, auth, management);
    checkBackends(checks, backends);
    checks.done();
  }

  private static void checkAddresses(
      Checks checks, ListenConfig listen, AuthConfig auth, ManagementConfig management) {
    checks
        .rule(
            auth.mode() != AuthConfig.Mode.NONE || auth.allowAnonymous() || listen.isLoopback(),
            "listen.host",
            "is not loopback, and nobody is authenticated, value=" + listen.host(),
            "bind 127.0.0.1, or say auth.allow-anonymous = true if everybody who reaches it may call tools")
        .rule(
            !management.enabled() || management.port() == 0 || management.port() != listen.port(),
            "management.port",
            "is the port of the gateway itself, value=" + management.port(),
            "choose another one");
  }

  private static void checkBackends(Checks checks, Map<String, BackendConfig> backends) {
    checks.rule(!backends.isEmpty(), "backends", "is empty", "configure at least one backend");
    Map<String, String> owners = new HashMap<>();
    backends.forEach(
        (name, backend) -> {
          checks.rule(
              BACKEND_NAME.matcher(name).matches(),
              ConfigUtil.joinPath("backends", name),
              "is not a name for a backend",
              "write up to 32 of a-z, 0-9 and -, a letter or digit first");
          String prefix = backend.prefix().orElse(name);
          String owner = owners.putIfAbsent(prefix, name);
          checks.rule(
              owner == null,
              List.of(ConfigUtil.joinPath("backends", name, "prefix")),
              "is the prefix of another backend too, value=" + prefix + " backend=" + owner,
              "give each its own");
        });
  }
}
