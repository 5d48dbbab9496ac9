package io.fairlead.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.Json;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcId;
import java.io.ByteArrayOutputStream;

/** The messages that a link itself writes. Thread: any; without state. */
final class Notices {
  private static final String START = "{\"jsonrpc\":\"2.0\"";

  private Notices() {}

  static byte[] initialize(RpcId id, byte[] params) {
    return join(request(id, Methods.INITIALIZE), ",\"params\":".getBytes(UTF_8), params);
  }

  static byte[] initialized() {
    return join(notification(Methods.INITIALIZED));
  }

  static byte[] ping(RpcId id) {
    return join(request(id, Methods.PING));
  }

  static byte[] cancelled(RpcId id, String reason) {
    return join(
        notification(Methods.CANCELLED),
        ",\"params\":{\"requestId\":".getBytes(UTF_8),
        id.json(),
        ",\"reason\":".getBytes(UTF_8),
        Json.quote(reason),
        "}".getBytes(UTF_8));
  }

  /** An error response; {@code error} is a JSON object. */
  static byte[] error(RpcId id, byte[] error) {
    return join((START + ",\"id\":" + id + ",\"error\":").getBytes(UTF_8), error);
  }

  private static byte[] request(RpcId id, String method) {
    return (START + ",\"id\":" + id + ",\"method\":\"" + method + "\"").getBytes(UTF_8);
  }

  private static byte[] notification(String method) {
    return (START + ",\"method\":\"" + method + "\"").getBytes(UTF_8);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      message.writeBytes(part);
    }
    message.write('}');
    return message.toByteArray();
  }
}
