package io.fairlead.gateway.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fairlead.gateway.config.ListenConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Fuzz target: Host and Origin (lifecycle 80, 96). */
class HostFuzz {
  private static final HostGuard LOOPBACK = guard(List.of(), List.of());
  private static final HostGuard NAMED =
      guard(List.of("mcp.example.com", "b:8443"), List.of("https://app.example.com"));

  /** The first line is the Host, the second the Origin; who passes is one of those allowed. */
  @FuzzTest
  void whoPassesIsAllowed(byte[] bytes) {
    String[] lines = new String(bytes, StandardCharsets.ISO_8859_1).split("\n", 3);
    String host = lines[0];
    List<String> origins = lines.length > 1 ? List.of(lines[1]) : List.of();
    if (LOOPBACK.check("/mcp", List.of(host), origins).isEmpty()) {
      assertTrue(isLoopback(host), host);
      origins.forEach(origin -> assertTrue(isLoopbackOrigin(origin), origin));
    }
    if (NAMED.check("/mcp", List.of(host), origins).isEmpty()) {
      String lower = host.toLowerCase(Locale.ROOT);
      assertTrue(
          lower.equals("b:8443")
              || lower.equals("mcp.example.com")
              || lower.startsWith("mcp.example.com:") && isPort(lower.substring(16)),
          host);
      origins.forEach(origin -> assertTrue(origin.equals("https://app.example.com"), origin));
    }
  }

  private static HostGuard guard(List<String> hosts, List<String> origins) {
    return new HostGuard(
        new ListenConfig("127.0.0.1", 0, "/mcp", hosts, origins, java.util.Optional.empty()));
  }

  private static boolean isLoopbackOrigin(String origin) {
    int scheme = origin.indexOf("://");
    return List.of("http", "https").contains(origin.substring(0, Math.max(0, scheme)))
        && isLoopback(origin.substring(scheme + 3));
  }

  private static boolean isLoopback(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    for (String name : List.of("localhost", "127.0.0.1", "[::1]")) {
      if (lower.equals(name)
          || lower.startsWith(name + ":") && isPort(lower.substring(name.length() + 1))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isPort(String text) {
    return !text.isEmpty()
        && text.length() <= 5
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
