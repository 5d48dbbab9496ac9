package io.fairlead.gateway.config;

import com.typesafe.config.ConfigUtil;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A tool that a consumer on the event bus serves.
 *
 * @param address where its consumer is registered
 * @param description what clients are told
 * @param headers sent with every request; values are secrets
 * @param inputSchema the schema of the arguments, as JSON text
 * @param outputSchema the schema of structured results, as JSON text; empty: none is told
 * @param annotations what clients are told of its behaviour, as JSON text; empty: nothing
 */
public record EventBusTool(
    String address,
    String description,
    Map<String, String> headers,
    String inputSchema,
    Optional<String> outputSchema,
    Optional<String> annotations) {
  /** Headers with this begin are the gateway's own. */
  public static final String RESERVED = "fairlead-";

  public EventBusTool {
    headers = Collections.unmodifiableMap(new TreeMap<>(headers));
    Checks checks =
        new Checks()
            .rule(
                !address.isBlank(),
                "address",
                "is missing",
                "write where its consumer is registered: address = \"orders.find\"");
    for (String name : headers.keySet()) {
      checks.rule(
          !name.toLowerCase(Locale.ROOT).startsWith(RESERVED),
          ConfigUtil.joinPath("headers", name),
          "is a header that the gateway writes itself",
          "remove it");
    }
    checks.done();
  }

  @Override
  public String toString() {
    return "EventBusTool[address=%s, description=%s, headers=%s, inputSchema=%s, outputSchema=%s, annotations=%s]"
        .formatted(
            address, description, Masked.values(headers), inputSchema, outputSchema, annotations);
  }
}
