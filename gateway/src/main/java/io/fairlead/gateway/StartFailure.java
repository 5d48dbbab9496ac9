package io.fairlead.gateway;

import io.fairlead.gateway.config.ConfigResult;
import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.http.TlsFiles;

/** Why the gateway does not start, for the person who started it: expected, so without a stack. */
final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private StartFailure(int exitCode, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
  }

  static StartFailure of(ConfigResult.Refused refused) {
    return new StartFailure(ExitCode.CONFIGURATION, refused.text());
  }

  /** What became of listening: a failure of ours where the cause is known, else the cause. */
  static Throwable of(Throwable cause, GatewayConfig config) {
    if (cause instanceof TlsFiles.Unusable tls) {
      return new StartFailure(ExitCode.CONFIGURATION, tls.getMessage());
    }
    return isAddressInUse(cause)
        ? new StartFailure(
            ExitCode.ADDRESS_IN_USE,
            "address in use, "
                + (cause instanceof ManagementFailure
                    ? "management="
                        + address(config.management().host(), config.management().port())
                    : "listen=" + address(config.listen().host(), config.listen().port()))
                + "; end the process that listens there, or choose another port")
        : cause;
  }

  int exitCode() {
    return exitCode;
  }

  /** A host and a port as in a URL. */
  static String address(String host, int port) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** The native transport has an exception of its own, and only its text says which error it is. */
  private static boolean isAddressInUse(Throwable failure) {
    String text = String.valueOf(failure.getMessage());
    return text.contains("Address already in use") || text.contains("error(-98)");
  }
}
