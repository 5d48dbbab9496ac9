package io.fairlead.gateway.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What differs between the configuration in force and the next one.
 *
 * @param effective what is to be in force: the next one, but for the keys that need a restart
 * @param added backends that were not there
 * @param removed backends that are no longer there
 * @param replaced backends that are configured differently
 * @param settings sections that differ, backends apart
 * @param needRestart keys that differ and keep their values until the gateway is restarted
 */
public record ConfigChange(
    GatewayConfig effective,
    SortedSet<String> added,
    SortedSet<String> removed,
    SortedSet<String> replaced,
    List<String> settings,
    List<String> needRestart) {

  /** Keys that only a start reads. */
  private static final Map<String, Function<GatewayConfig, Object>> AT_START =
      new LinkedHashMap<>();

  static {
    AT_START.put("listen.host", config -> config.listen().host());
    AT_START.put("listen.port", config -> config.listen().port());
    AT_START.put("listen.path", config -> config.listen().path());
    AT_START.put("listen.tls", config -> config.listen().tls());
    AT_START.put("limits.streams-per-connection", config -> config.limits().streamsPerConnection());
    AT_START.put("sessions.mode", config -> config.sessions().stateful());
    AT_START.put("management.enabled", config -> config.management().enabled());
    AT_START.put("management.host", config -> config.management().host());
    AT_START.put("management.port", config -> config.management().port());
    AT_START.put("reload.period", GatewayConfig::reloadPeriod);
  }

  private static final Map<String, Function<GatewayConfig, Object>> SECTIONS =
      new LinkedHashMap<>();

  static {
    SECTIONS.put("listen", GatewayConfig::listen);
    SECTIONS.put("sessions", GatewayConfig::sessions);
    SECTIONS.put("events", GatewayConfig::events);
    SECTIONS.put("limits", GatewayConfig::limits);
    SECTIONS.put("shutdown", GatewayConfig::drain);
    SECTIONS.put("auth", GatewayConfig::auth);
  }

  /**
   * Compares.
   *
   * @throws InvalidConfig if the next one cannot be used beside what only a restart would change
   */
  public static ConfigChange between(GatewayConfig now, GatewayConfig next) {
    GatewayConfig effective = withStartOf(now, next);
    SortedSet<String> added = new TreeSet<>(next.backends().keySet());
    added.removeAll(now.backends().keySet());
    SortedSet<String> removed = new TreeSet<>(now.backends().keySet());
    removed.removeAll(next.backends().keySet());
    SortedSet<String> replaced = new TreeSet<>(next.backends().keySet());
    replaced.removeAll(added);
    replaced.removeIf(name -> next.backends().get(name).equals(now.backends().get(name)));
    return new ConfigChange(
        effective,
        added,
        removed,
        replaced,
        differing(SECTIONS, now, effective),
        differing(AT_START, now, next));
  }

  /** Whether nothing changes by it. */
  public boolean isEmpty() {
    return added.isEmpty() && removed.isEmpty() && replaced.isEmpty() && settings.isEmpty();
  }

  /** Whether {@code section} differs. */
  public boolean changes(String section) {
    return settings.contains(section);
  }

  /** What changes, on one line. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    describe(parts, "added", added);
    describe(parts, "removed", removed);
    describe(parts, "replaced", replaced);
    describe(parts, "settings", settings);
    return parts.isEmpty() ? "nothing differs" : String.join(" ", parts);
  }

  private static void describe(List<String> parts, String what, Iterable<String> names) {
    String joined = String.join(",", names);
    if (!joined.isEmpty()) {
      parts.add(what + "=" + joined);
    }
  }

  private static List<String> differing(
      Map<String, Function<GatewayConfig, Object>> keys, GatewayConfig now, GatewayConfig next) {
    return keys.entrySet().stream()
        .filter(key -> !Objects.equals(key.getValue().apply(now), key.getValue().apply(next)))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static GatewayConfig withStartOf(GatewayConfig now, GatewayConfig next) {
    ListenConfig listen =
        new ListenConfig(
            now.listen().host(),
            now.listen().port(),
            now.listen().path(),
            next.listen().allowedHosts(),
            next.listen().allowedOrigins(),
            now.listen().tls());
    SessionsConfig sessions =
        new SessionsConfig(
            now.sessions().stateful(),
            next.sessions().max(),
            next.sessions().maxPerPrincipal(),
            next.sessions().idleTimeout(),
            next.sessions().abandonTimeout(),
            next.sessions().initializedTimeout(),
            next.sessions().maxAge(),
            next.sessions().maxPendingHandshakes(),
            next.sessions().evictIdle());
    return new GatewayConfig(
        listen,
        sessions,
        next.events(),
        next.limits(),
        next.drain(),
        next.auth(),
        next.backends(),
        now.management(),
        now.reloadPeriod());
  }
}
