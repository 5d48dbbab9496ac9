package io.fairlead.gateway.session;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.WireLimits;
import java.nio.charset.StandardCharsets;

/** Messages for tests. */
final class Messages {

  private Messages() {}

  static Envelope request() {
    try {
      return new EnvelopeReader(new WireLimits(100, 10_000, 1_000, 256))
          .read(
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}"
                  .getBytes(StandardCharsets.UTF_8));
    } catch (MalformedMessage e) {
      throw new AssertionError(e);
    }
  }
}
