package io.fairlead.gateway.config;

import java.util.Locale;
import java.util.regex.Pattern;

/** What may be written as an address to bind, and which of them are loopback. */
final class Addresses {
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+(%\\w+)?");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.\\d{1,3}){3}|(0{1,4}:){1,7}0{0,3}1|::1");

  private Addresses() {}

  static Checks check(Checks checks, String host, int port) {
    return checks
        .rule(
            HOST.matcher(host).matches(),
            "host",
            "is not an address, value=" + host,
            "write a name or an address without port and brackets, as in 127.0.0.1 or ::1")
        .between("port", port, 0, 65535);
  }

  /** Without asking a name server. */
  static boolean isLoopback(String host) {
    return LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches();
  }
}
