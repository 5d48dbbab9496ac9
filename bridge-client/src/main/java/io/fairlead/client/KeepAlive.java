package io.fairlead.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.socket.nio.NioChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.net.TcpOption;
import io.vertx.core.net.impl.ConnectionBase;
import java.net.SocketOption;
import jdk.net.ExtendedSocketOptions;

/**
 * Notices within half a minute that a connection leads nowhere any more (the machine slept, the
 * network changed, a router forgot it), where the system's own two hours would leave a call on it.
 * Then its stream is cut, and resumed.
 *
 * <p>Thread: owner loop; without state.
 */
final class KeepAlive {
  static final int IDLE_SECONDS = 15;
  private static final int INTERVAL_SECONDS = 5;
  private static final int COUNT = 3;

  private KeepAlive() {}

  /** Asks for it where the native transport opens the connection. */
  static void configure(TcpConfig tcp) {
    tcp.setSoKeepAlive(true)
        .setOption(TcpOption.KEEPIDLE, IDLE_SECONDS)
        .setOption(TcpOption.KEEPINTVL, INTERVAL_SECONDS)
        .setOption(TcpOption.KEEPCNT, COUNT);
  }

  /** Sets it where the JDK has opened the connection, for which Vert.x has no option. */
  static void set(HttpConnection opened) {
    if (opened instanceof ConnectionBase connection) {
      set(connection.channelHandlerContext().channel());
    }
  }

  static void set(Channel channel) {
    try {
      set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
      set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
      set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, COUNT);
    } catch (ChannelException closed) {
      // it has ended meanwhile, of which whoever uses it is told
    }
  }

  /** What the system or the transport does not know is left as it is. */
  private static void set(Channel channel, SocketOption<Integer> option, int value) {
    channel.config().setOption(NioChannelOption.of(option), value);
  }
}
