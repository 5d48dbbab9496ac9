package io.fairlead.gateway.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads each section into its record.
 *
 * <p>Thread: one at a time.
 */
final class ConfigSections {
  private final ConfigTree tree;
  private final Includes includes;
  private final Findings findings;

  ConfigSections(ConfigTree tree, Includes includes) {
    this.tree = tree;
    this.includes = includes;
    this.findings = new Findings(tree);
  }

  ConfigResult read() {
    SectionReader root = new SectionReader(List.of(), tree.values(), tree.reference(), findings);
    Optional<ListenConfig> listen = root.section("listen", ConfigSections::listen);
    Optional<SessionsConfig> sessions = root.section("sessions", ConfigSections::sessions);
    Optional<EventsConfig> events = root.section("events", ConfigSections::events);
    Optional<LimitsConfig> limits = root.section("limits", ConfigSections::limits);
    Optional<Duration> drain = root.section("shutdown", section -> section.duration("drain"));
    Optional<AuthConfig> auth = root.section("auth", ConfigSections::auth);
    Optional<Map<String, BackendConfig>> backends =
        root.section(ConfigTree.BACKENDS, this::backends);
    Optional<ManagementConfig> management = root.section("management", ConfigSections::management);
    Optional<Duration> reload = root.section("reload", section -> section.duration("period"));
    root.section("cluster", ConfigSections::cluster);
    root.section(ConfigTree.DEFAULTS, section -> section.likeBuiltIn(BackendSection.MAPS));
    root.refuseUnknown();
    Optional<GatewayConfig> config =
        root.build(
            () ->
                new GatewayConfig(
                    get(listen),
                    get(sessions),
                    get(events),
                    get(limits),
                    get(drain),
                    get(auth),
                    get(backends),
                    get(management),
                    get(reload)));
    return config
        .filter(accepted -> findings.problems().isEmpty())
        .<ConfigResult>map(accepted -> new ConfigResult.Accepted(accepted, tree, includes))
        .orElseGet(() -> new ConfigResult.Refused(findings.problems()));
  }

  /** A section whose own record refused its values: there is nothing to check it against. */
  private static <T> T get(Optional<T> section) {
    return section.orElseThrow(() -> new InvalidConfig(List.of()));
  }

  private static ListenConfig listen(SectionReader section) {
    String host = section.text("host");
    int port = section.integer("port");
    String path = section.text("path");
    List<String> hosts = section.texts("allowed-hosts");
    List<String> origins = section.texts("allowed-origins");
    Optional<Optional<TlsConfig>> tls = section.section("tls", ConfigSections::tls);
    return new ListenConfig(host, port, path, hosts, origins, get(tls));
  }

  private static Optional<TlsConfig> tls(SectionReader section) {
    Optional<String> password = section.secretOrOff("password");
    TlsConfig tls =
        new TlsConfig(
            section.textOrOff("certificate"),
            section.textOrOff("key"),
            section.textOrOff("keystore"),
            password,
            section.textOrOff("password-file"));
    return Optional.of(tls).filter(found -> !found.equals(TlsConfig.OFF));
  }

  private static SessionsConfig sessions(SectionReader section) {
    return new SessionsConfig(
        section.choice("mode", Map.of("stateful", true, "stateless", false)),
        section.integer("max"),
        section.integer("max-per-principal"),
        section.duration("idle-timeout"),
        section.duration("abandon-timeout"),
        section.duration("initialized-timeout"),
        section.durationOrOff("max-age"),
        section.integer("max-pending-handshakes"),
        section.choice("when-full", Map.of("evict-idle", true, "reject", false)));
  }

  private static EventsConfig events(SectionReader section) {
    return new EventsConfig(
        section.duration("ttl"),
        section.bytesOrAuto("max-bytes", HeapShare.bytes()),
        section.bytes("max-bytes-per-session"),
        section.bytes("max-bytes-per-stream"),
        section.integer("max-events-per-stream"),
        section.duration("retry"),
        section.choice("priming", Map.of("auto", true, "off", false)));
  }

  private static LimitsConfig limits(SectionReader section) {
    return new LimitsConfig(
        section.bytesInt("body"),
        section.duration("body-timeout"),
        section.integer("depth"),
        section.integer("calls-per-session"),
        section.integer("calls"),
        section.integer("streams-per-session"),
        section.integer("connections"),
        section.integer("connections-per-address"),
        section.integer("streams-per-connection"),
        section.integer("failed-credentials"),
        section.fraction("heap"),
        section.duration("keep-alive"),
        section.duration("slow-reader-timeout"),
        section.durationOrOff("stream-age"));
  }

  private static AuthConfig auth(SectionReader section) {
    AuthConfig.Mode mode =
        section.choice(
            "mode",
            Map.of(
                "none", AuthConfig.Mode.NONE,
                "api-key", AuthConfig.Mode.API_KEY,
                "jwt", AuthConfig.Mode.JWT));
    boolean allowAnonymous = section.flag("allow-anonymous");
    Map<String, String> apiKeys = section.secrets("api-keys");
    Optional<String> resource = section.textOrOff("resource");
    Optional<JwtConfig> jwt = section.section("jwt", ConfigSections::jwt);
    return new AuthConfig(mode, allowAnonymous, apiKeys, resource, get(jwt));
  }

  private static JwtConfig jwt(SectionReader section) {
    section.mask("jwks-url", Masked.url(section.text("jwks-url")));
    return new JwtConfig(
        section.text("issuer"),
        section.texts("audience"),
        section.textOrOff("jwks-url"),
        section.textOrOff("jwks-file"),
        section.texts("algorithms"),
        section.texts("required-scopes"),
        section.duration("leeway"));
  }

  private static ManagementConfig management(SectionReader section) {
    return new ManagementConfig(
        section.flag("enabled"), section.text("host"), section.integer("port"));
  }

  private static boolean cluster(SectionReader section) {
    if (section.flag("enabled")) {
      section.refuse("enabled", "is not available in this version, value=true", "write false");
      section.leaveRest();
    }
    return true;
  }

  private Map<String, BackendConfig> backends(SectionReader section) {
    Map<String, BackendConfig> backends = new HashMap<>();
    boolean complete = true;
    for (String name : section.names()) {
      Optional<BackendConfig> backend = new BackendSection(tree, section, name).read();
      backend.ifPresent(found -> backends.put(name, found));
      complete &= backend.isPresent();
    }
    return complete ? backends : get(Optional.empty());
  }
}
