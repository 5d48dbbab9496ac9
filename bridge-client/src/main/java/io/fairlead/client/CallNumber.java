package io.fairlead.client;

import io.fairlead.wire.Headers;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Names a POST of a call to a Fairlead before it is sent, so that the server can be asked what
 * became of it though not one byte came back: by resuming the stream {@code c<n>} from its start.
 *
 * @param value rises with every POST of a session
 */
record CallNumber(long value) {

  /** The cursor before the first event of the call's stream. */
  String start() {
    return "c" + value + "-0";
  }

  /** {@code headers} and the one that gives the number. */
  Map<String, String> addTo(Map<String, String> headers) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(Headers.CALL, Long.toString(value));
    return all;
  }
}
