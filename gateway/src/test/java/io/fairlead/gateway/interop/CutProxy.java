package io.fairlead.gateway.interop;

import io.netty.channel.ChannelOption;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A TCP proxy in front of an HTTP/1.1 server on loopback, which can sever its connections.
 *
 * <p>Thread: its Vert.x context, but for {@link #start}, {@link #port}, {@link #refuse} and {@link
 * #close}. Owner: the test that started it.
 */
final class CutProxy implements AutoCloseable {

  /** How a connection ends. */
  enum Cut {
    /** Both sides get a FIN. */
    FIN,
    /** Both sides get a RST. */
    RST,
    /** The client gets a RST; to the server the connection looks alive. */
    HALF
  }

  private final Vertx vertx;
  private final int target;
  private final Consumer<Leg> onRequest;
  private final NetClient client;
  private final NetServer server;
  private final Set<Leg> open = new LinkedHashSet<>();
  private final Set<NetSocket> clients = ConcurrentHashMap.newKeySet();
  private volatile boolean refusing;

  private CutProxy(Vertx vertx, int target, Consumer<Leg> onRequest) {
    this.vertx = vertx;
    this.target = target;
    this.onRequest = onRequest;
    this.client = vertx.createNetClient();
    this.server = vertx.createNetServer().connectHandler(this::accept);
  }

  /**
   * Listens on a free port.
   *
   * @param onRequest is told when a client starts a request, before any of it is passed on
   */
  static CutProxy start(Vertx vertx, int target, Consumer<Leg> onRequest) {
    CutProxy proxy = new CutProxy(vertx, target, onRequest);
    proxy.server.listen(0, "127.0.0.1").await();
    return proxy;
  }

  int port() {
    return server.actualPort();
  }

  /** The requests that are being answered. */
  List<Leg> open() {
    return List.copyOf(open);
  }

  /** Closes all connections, and each new one at once; or no longer. Thread: any. */
  void refuse(boolean refuse) {
    refusing = refuse;
    if (refuse) {
      clients.forEach(NetSocket::close);
    }
  }

  Vertx vertx() {
    return vertx;
  }

  @Override
  public void close() {
    server.close().await();
    client.close().await();
  }

  private void accept(NetSocket from) {
    clients.add(from);
    from.closeHandler(gone -> clients.remove(from));
    if (refusing) {
      from.close();
      return;
    }
    from.pause();
    client
        .connect(target, "127.0.0.1")
        .onFailure(refused -> from.close())
        .onSuccess(to -> new Pipe(from, to).start());
  }

  /** One connection through the proxy, and the request that it carries now. */
  private final class Pipe {
    private final NetSocket from;
    private final NetSocket to;
    private boolean used;
    private Leg leg;

    private Pipe(NetSocket from, NetSocket to) {
      this.from = from;
      this.to = to;
      this.leg = new Leg(this, "");
      leg.passed("");
    }

    private void start() {
      to.handler(this::answer).exceptionHandler(gone -> {}).closeHandler(gone -> close(from));
      from.handler(this::request).exceptionHandler(gone -> {}).closeHandler(gone -> left());
      from.resume();
    }

    private void request(Buffer bytes) {
      if (leg.answered()) {
        leg.end();
        open.remove(leg);
        leg = new Leg(this, bytes.toString());
        leg.reuses = used;
        used = true;
        open.add(leg);
        onRequest.accept(leg);
        if (leg.severed()) {
          return;
        }
      } else {
        leg.request.append(bytes.toString());
      }
      to.write(bytes);
    }

    private void answer(Buffer bytes) {
      if (leg.severed()) {
        return;
      }
      leg.passed(bytes.toString());
      if (leg.severed()) {
        return;
      }
      if (leg.ended()) {
        open.remove(leg);
      }
      from.write(bytes);
    }

    private void left() {
      clients.remove(from);
      close(to);
    }

    private void close(NetSocket other) {
      open.remove(leg);
      if (!leg.severed()) {
        leg.end();
        other.close();
      }
    }

    private void sever(Cut cut) {
      open.remove(leg);
      if (cut != Cut.HALF) {
        sever(to, cut);
      }
      sever(from, cut);
    }

    private static void sever(NetSocket socket, Cut cut) {
      if (cut != Cut.FIN) {
        // a close that does not linger is a reset
        ((NetSocketInternal) socket)
            .channelHandlerContext()
            .channel()
            .config()
            .setOption(ChannelOption.SO_LINGER, 0);
      }
      socket.close();
    }
  }

  /** One request and its answer, on their way through the proxy. Thread: the proxy's. */
  static final class Leg {
    private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

    private final Pipe pipe;
    private final StringBuilder request;
    private final StringBuilder unread = new StringBuilder();
    private Runnable onAnswer = () -> {};
    private Consumer<String> onId = id -> {};
    private String tail = "";
    private boolean reuses;
    private boolean answered;
    private boolean ended;
    private boolean severed;

    private Leg(Pipe pipe, String request) {
      this.pipe = pipe;
      this.request = new StringBuilder(request);
    }

    /** As much of the request as has come: all of it once the answer begins. */
    String request() {
      return request.toString();
    }

    /** Whether its connection has carried another request before. */
    boolean reuses() {
      return reuses;
    }

    /** Calls back when the answer begins, before any of it is passed on. */
    void onAnswer(Runnable listener) {
      onAnswer = listener;
    }

    /** Calls back for each event id that the answer brings, before it is passed on. */
    void onId(Consumer<String> listener) {
      onId = listener;
    }

    /** Severs the connection, unless the answer has passed whole; whether it did. */
    boolean sever(Cut cut) {
      if (ended || severed) {
        return false;
      }
      severed = true;
      pipe.sever(cut);
      return true;
    }

    /** Whether its answer has begun: what the client sends from then on is another request. */
    private boolean answered() {
      return answered;
    }

    private boolean ended() {
      return ended;
    }

    private boolean severed() {
      return severed;
    }

    private void end() {
      ended = true;
    }

    private void passed(String text) {
      if (!answered) {
        answered = true;
        onAnswer.run();
      }
      unread.append(text);
      int from = 0;
      for (int end = unread.indexOf("\n"); end >= 0; end = unread.indexOf("\n", from)) {
        String line = unread.substring(from, end);
        if (line.startsWith("id:")) {
          onId.accept(line.substring(3).strip());
        }
        from = end + 1;
      }
      unread.delete(0, from);
      // an answer with a length ends unseen, but such an answer is no stream
      String both = tail + text;
      tail = both.substring(Math.max(0, both.length() - LAST_CHUNK.length()));
      ended = tail.equals(LAST_CHUNK);
    }
  }
}
