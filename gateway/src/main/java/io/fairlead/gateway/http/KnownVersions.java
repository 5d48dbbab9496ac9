package io.fairlead.gateway.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;

/**
 * Has a request of a version other than HTTP/1.0 and 1.1 be treated as one that cannot be read: the
 * transport would answer it without a word, before any handler of ours. A client of HTTP/2 with
 * prior knowledge comes so to a port without TLS (RFC 9113, section 3.4).
 *
 * <p>Thread: owner loop. Owner: its connection's pipeline.
 */
final class KnownVersions extends ChannelInboundHandlerAdapter {

  /** The version that was asked for is not spoken. */
  static final class Unknown extends Exception {
    private static final long serialVersionUID = 1L;

    private Unknown() {
      super("unknown version of HTTP", null, false, false);
    }
  }

  private boolean refused;

  private KnownVersions() {}

  /** Looks at what comes on a connection that speaks HTTP/1. */
  static void watch(Channel channel) {
    ChannelHandlerContext decoder = channel.pipeline().context(HttpRequestDecoder.class);
    if (decoder != null) {
      channel.pipeline().addAfter(decoder.name(), null, new KnownVersions());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (refused) {
      // as after all that cannot be read: what follows means nothing
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest request && request.decoderResult().isSuccess()) {
      HttpVersion version = request.protocolVersion();
      if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
        refused = true;
        // it is answered in the highest version that is known
        request.setProtocolVersion(HttpVersion.HTTP_1_1);
        request.setDecoderResult(DecoderResult.failure(new Unknown()));
      }
    }
    context.fireChannelRead(message);
  }
}
