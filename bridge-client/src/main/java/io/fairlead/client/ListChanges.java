package io.fairlead.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.Json;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.Methods;
import io.fairlead.wire.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The {@code list_changed} notifications that stand for a server's restart: everything that it
 * offers may be different now.
 *
 * <p>Thread: owner loop.
 */
public final class ListChanges {
  private static final Map<String, String> BY_CAPABILITY =
      Map.of(
          "tools", Methods.TOOLS_CHANGED,
          "prompts", Methods.PROMPTS_CHANGED,
          "resources", Methods.RESOURCES_CHANGED);

  private ListChanges() {}

  /** One for each list in the capabilities of an InitializeResult. */
  public static List<Envelope> of(byte[] initializeResult, EnvelopeReader reader) {
    Optional<Span> capabilities =
        Json.member(initializeResult, new Span(0, initializeResult.length), "capabilities");
    List<Envelope> changes = new ArrayList<>();
    BY_CAPABILITY.forEach(
        (capability, method) -> {
          if (capabilities
              .flatMap(span -> Json.member(initializeResult, span, capability))
              .isPresent()) {
            changes.add(notification(method, reader));
          }
        });
    return changes;
  }

  private static Envelope notification(String method, EnvelopeReader reader) {
    try {
      return reader.read(("{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\"}").getBytes(UTF_8));
    } catch (MalformedMessage e) {
      throw new IllegalStateException(e);
    }
  }
}
