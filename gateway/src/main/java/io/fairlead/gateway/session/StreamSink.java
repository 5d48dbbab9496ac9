package io.fairlead.gateway.session;

import io.fairlead.store.EventKind;
import java.time.Duration;

/**
 * One open HTTP response that takes a stream's messages. It is attached to at most one stream;
 * after {@link #end}, {@link #displaced} or {@link #poll} nothing more is called.
 *
 * <p>Thread: owner loop. A sink calls {@link RequestStream#pump} when it accepts more again, and
 * {@link RequestStream#detach} when its connection is gone.
 */
public interface StreamSink {

  /** Attaches itself to {@code stream} after {@code cursor}. */
  void attachTo(RequestStream stream, long cursor);

  /** Whether its client knows where to come back to, so that its connection may be ended. */
  boolean canReturn();

  /** Whether it takes nothing for now. */
  boolean full();

  /**
   * Writes one message.
   *
   * @param id the event's id; empty if the stream cannot be resumed
   */
  void event(String id, EventKind kind, byte[] message);

  /** Says that {@code events} events that the client never saw were evicted. */
  void gap(long events);

  /** The stream has ended and all of it was written. */
  void end();

  /** Another connection took the stream over. */
  void displaced();

  /** Ends the connection, not the stream: the client is to resume after {@code retry}. */
  void poll(Duration retry);
}
