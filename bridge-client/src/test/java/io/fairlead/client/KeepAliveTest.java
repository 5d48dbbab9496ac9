package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.socket.nio.NioSocketChannel;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
  @Test
  void systemIsAskedToProbe() throws Exception {
    try (SocketChannel socket = SocketChannel.open()) {
      KeepAlive.set(new NioSocketChannel(socket));
      assertEquals(
          KeepAlive.IDLE_SECONDS, socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE).intValue());
    }
  }

  /** A connection may be gone before its options are set. */
  @Test
  void connectionThatHasEndedIsLeftAlone() throws Exception {
    SocketChannel socket = SocketChannel.open();
    NioSocketChannel channel = new NioSocketChannel(socket);
    socket.close();
    KeepAlive.set(channel);
  }
}
