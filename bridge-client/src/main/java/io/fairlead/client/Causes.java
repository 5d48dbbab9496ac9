package io.fairlead.client;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** What a failed connection says, in words that name no host and no URL. Thread: any. */
final class Causes {
  private Causes() {}

  /**
   * Whether nobody listens at the address: the process that did is gone, and a new one would not
   * know our streams.
   */
  static boolean isRefused(Throwable cause) {
    return cause instanceof ConnectException
        && !String.valueOf(cause.getMessage()).contains("timed out");
  }

  static String describe(Throwable cause) {
    if (isRefused(cause)) {
      return "connection refused";
    }
    if (cause instanceof ConnectException) {
      return "connect timed out";
    }
    if (cause instanceof UnknownHostException) {
      return "host not found";
    }
    if (cause instanceof SSLException) {
      return "TLS failed";
    }
    if (cause instanceof TimeoutException) {
      return "no answer in time";
    }
    return cause instanceof TooLarge ? cause.getMessage() : "connection lost";
  }
}
