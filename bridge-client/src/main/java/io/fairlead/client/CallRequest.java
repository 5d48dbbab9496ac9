package io.fairlead.client;

import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcId;
import java.util.Map;

/**
 * One JSON-RPC request to send.
 *
 * @param message the request's bytes
 * @param id its id, unique among the calls in flight on the link
 * @param method its method
 * @param headers sent with each HTTP request for this call, beside the credentials
 */
public record CallRequest(byte[] message, RpcId id, String method, Map<String, String> headers) {
  public CallRequest {
    headers = Map.copyOf(headers);
  }

  /** The same without its bytes, which may be many, for when it cannot be sent any more. */
  CallRequest withoutMessage() {
    return new CallRequest(new byte[0], id, method, headers);
  }

  boolean reads() {
    return Methods.reads(method);
  }
}
