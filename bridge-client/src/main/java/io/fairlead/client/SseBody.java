package io.fairlead.client;

import io.fairlead.wire.Headers;
import io.fairlead.wire.SseEvent;
import io.fairlead.wire.SseReader;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;

/**
 * Reads one response as an event stream until it ends, is cut or is closed. A cut that comes while
 * it is paused is told after what had arrived before it.
 *
 * <p>Thread: owner loop. Owner: the stream whose leg it is.
 */
final class SseBody {
  /** Told on the owner loop; nothing after {@link #ended} or after {@link #close}. */
  interface Listener {
    void event(SseEvent event);

    void retry(long millis);

    void oversize();

    /**
     * Terminal.
     *
     * @param clean whether the server ended it, else it was cut
     */
    void ended(boolean clean);
  }

  private final HttpTransport transport;
  private final HttpClientResponse response;
  private final Listener listener;
  private final SseReader reader;
  private boolean paused;
  private boolean cut;
  private boolean closed;

  /** Must be called in the turn in which the head came. */
  SseBody(HttpTransport transport, HttpClientResponse response, int maxEvent, Listener listener) {
    this.transport = transport;
    this.response = response;
    this.listener = listener;
    this.reader = new SseReader(maxEvent, new OpenOnly());
    response.handler(this::feed);
    response.endHandler(v -> end(true));
    response.exceptionHandler(cause -> cut());
  }

  static boolean isSse(HttpClientResponse response) {
    return response.statusCode() == 200 && hasType(response, Headers.SSE);
  }

  static boolean hasType(HttpClientResponse response, String type) {
    String found = response.getHeader("Content-Type");
    if (found == null) {
      return false;
    }
    int end = found.indexOf(';');
    return (end < 0 ? found : found.substring(0, end)).trim().equalsIgnoreCase(type);
  }

  private void feed(Buffer chunk) {
    if (!closed) {
      transport.heard();
      try {
        byte[] bytes = chunk.getBytes();
        reader.feed(bytes, 0, bytes.length);
      } catch (RuntimeException | Error e) {
        // what came of this chunk is not known, so nothing that follows may be taken for whole
        end(false);
        throw e;
      }
    }
  }

  private void cut() {
    if (paused) {
      cut = true;
    } else {
      end(false);
    }
  }

  private void end(boolean clean) {
    if (!closed) {
      closed = true;
      listener.ended(clean);
    }
  }

  /** The last complete event id of this response; empty if there was none. */
  String lastEventId() {
    return reader.lastEventId();
  }

  void pause() {
    paused = true;
    response.pause();
  }

  void resume() {
    paused = false;
    response.resume();
    if (cut) {
      transport.vertx().runOnContext(v -> cut());
    }
  }

  /** Nothing is told after this; the caller ends the exchange. */
  void close() {
    closed = true;
  }

  /** Drops what the same chunk still holds after the owner has closed the body. */
  private final class OpenOnly implements SseReader.Listener {
    @Override
    public void event(SseEvent event) {
      if (!closed) {
        listener.event(event);
      }
    }

    @Override
    public void retry(long millis) {
      if (!closed) {
        listener.retry(millis);
      }
    }

    @Override
    public void oversize() {
      if (!closed) {
        listener.oversize();
      }
    }
  }
}
