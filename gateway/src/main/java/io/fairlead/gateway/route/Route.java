package io.fairlead.gateway.route;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.RpcError;
import java.util.function.Function;

/** Where a request goes. */
public sealed interface Route {

  /** The gateway answers with this result object. */
  record Local(byte[] result) implements Route {}

  /** The gateway answers with one of its merged lists. */
  record Listed(ListKind kind) implements Route {}

  /** One backend answers; the request names what that backend knows. */
  record Forward(String backend, Envelope request) implements Route {}

  /** Every backend of the session is told the logging level; the gateway answers. */
  record Level(String level) implements Route {}

  /** Nobody is asked. */
  record Refused(RpcError error) implements Route {}

  /** One function per case. */
  default <T> T fold(
      Function<Local, T> local,
      Function<Listed, T> listed,
      Function<Forward, T> forward,
      Function<Level, T> level,
      Function<Refused, T> refused) {
    if (this instanceof Local found) {
      return local.apply(found);
    }
    if (this instanceof Listed found) {
      return listed.apply(found);
    }
    if (this instanceof Forward found) {
      return forward.apply(found);
    }
    return this instanceof Level found ? level.apply(found) : refused.apply((Refused) this);
  }
}
