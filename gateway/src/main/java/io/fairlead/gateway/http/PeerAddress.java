package io.fairlead.gateway.http;

import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Whom the limits for one address are for: an IPv4 address, or an IPv6 network of 64 bits, because
 * that is what one machine is given.
 *
 * <p>Thread: any; stateless.
 */
final class PeerAddress {
  private static final int NETWORK_BYTES = 8;

  private PeerAddress() {}

  /** Empty if the peer has no internet address. */
  static String of(SocketAddress peer) {
    String text = peer == null || peer.hostAddress() == null ? "" : peer.hostAddress();
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
    return bytes == null || bytes.length <= NETWORK_BYTES
        ? text
        : HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK_BYTES));
  }
}
