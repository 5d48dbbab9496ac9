package io.fairlead.gateway.session;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.observe.Metrics;
import io.fairlead.store.Event;
import io.fairlead.store.EventId;
import io.fairlead.store.EventKind;
import io.fairlead.store.EventLog;
import io.fairlead.store.Resume;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.RpcId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The ordered messages that answer one call, or a session's standalone channel, and the one sink
 * that pulls them. The log is the only queue: {@link #append} puts a message into it and pumps,
 * {@link #attach} sets the reader's cursor and pumps, so replay and live delivery are the same code
 * and no message can fall between them.
 *
 * <p>Thread: owner loop; every method is one uninterrupted turn. Owner: {@link Session}.
 */
public final class RequestStream {
  private static final int MAX_UNLOGGED = 1024;

  private record Unlogged(EventKind kind, byte[] message) {}

  private final EventLog log;
  private final boolean resumable;
  private final Presence presence;
  private final Metrics metrics;
  private final String instance;
  private RpcId answersId;
  private String answersMethod = "";
  private StreamSink sink;
  private StreamSource source = StreamSource.NONE;
  private boolean sourcePaused;
  private boolean pumping;
  private boolean ended;
  private boolean closed;

  /** Whether nobody was given an id to come back with. */
  private boolean abandoned;

  private boolean answered;

  /** Null unless the store failed: then messages go on from here, in order and without ids. */
  private Deque<Unlogged> unlogged;

  /** Whether what the log holds can still be taken; it goes before what is not logged. */
  private boolean logIsReadable = true;

  private byte[] lastLogged = {};

  private long delivered;
  private final EmptyResumes emptyResumes = new EmptyResumes();

  RequestStream(
      EventLog log, boolean resumable, Presence presence, Metrics metrics, String instance) {
    this.log = log;
    this.resumable = resumable;
    this.presence = presence;
    this.metrics = metrics;
    this.instance = instance;
  }

  /** The id that a client resumes this stream's start with; empty if it cannot be resumed. */
  public Optional<String> startId() {
    return resumable ? Optional.of(new EventId(log.stream(), 0).format()) : Optional.empty();
  }

  String name() {
    return log.stream();
  }

  public boolean isAttached() {
    return sink != null;
  }

  /** The cursor after everything that was ever written to a connection. */
  public long delivered() {
    return delivered;
  }

  public boolean isEnded() {
    return ended;
  }

  /** The stream answers {@code request}, whose messages come from {@code source}. */
  void answers(Envelope request, StreamSource source) {
    this.answersId = request.id().orElseThrow();
    this.answersMethod = request.method();
    this.source = source;
  }

  /** The definite answer to a resume after the final response was evicted. */
  public byte[] evictedAnswer() {
    return new Outcome(
            Outcome.State.COMPLETED_RESULT_EVICTED,
            "evicted",
            "The call completed, but the gateway no longer holds its result: its bounds were met."
                + " Check what the call did before calling again.")
        .toMessage(answersId, answersMethod, instance);
  }

  /** Appends a message and delivers it if a sink takes it now. Without effect after the end. */
  void append(EventKind kind, byte[] message) {
    if (ended || abandoned) {
      return;
    }
    answered |= kind == EventKind.RESPONSE;
    if (unlogged == null) {
      try {
        log.append(kind, message);
      } catch (RuntimeException fault) {
        failOver();
      }
    }
    if (unlogged != null) {
      hold(new Unlogged(kind, message));
    }
    pump();
  }

  /** What a client would meet that resumes after {@code cursor}. */
  public Resume resume(long cursor) {
    return log.resume(cursor);
  }

  /**
   * Counts resumes of an ended stream that find nothing new.
   *
   * @return whether this one comes too soon after too many others
   */
  public boolean resumesTooOften(long cursor) {
    if (!ended || cursor < log.lastSequence()) {
      return false;
    }
    return emptyResumes.oneMoreIsTooMany();
  }

  /** Attaches a sink after {@code cursor}; one that was attached before ends. */
  public void attach(long cursor, StreamSink newcomer) {
    StreamSink former = sink;
    sink = newcomer;
    presence.arrived();
    log.attach(cursor);
    if (former != null) {
      former.displaced();
      presence.left();
    }
    pump();
  }

  /** The sink's connection is gone. Without effect if another sink is attached by now. */
  public void detach(StreamSink leaving) {
    if (sink == leaving) {
      release();
    }
  }

  /** As {@link #detach}, and its client cannot come back: nothing is kept, its end closes it. */
  public void abandon(StreamSink leaving) {
    if (sink != null && sink != leaving) {
      return;
    }
    abandoned = true;
    detach(leaving);
    if (ended) {
      close();
    }
  }

  /** Whether a client reads it or may come back for it. */
  boolean isReachable() {
    return !abandoned;
  }

  /** Whether whoever holds an id of one of its events can go on from there. */
  public boolean canBeResumed() {
    return resumable && unlogged == null;
  }

  /** Whether a message waits for the sink that no bound of the streams holds. */
  public boolean holdsBesidesBounds() {
    return log.holdsBesidesBounds();
  }

  /** Ends the attached connection, not the stream, if its client can come back. */
  public void poll(Duration retry) {
    StreamSink polled = sink;
    if (polled != null && canBeResumed() && polled.canReturn()) {
      release();
      polled.poll(retry);
    }
  }

  /** Writes what the attached sink accepts. Called by the sink when it accepts more again. */
  public void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      if (logIsReadable) {
        pumpLog();
      }
      if (unlogged != null && !hasLogged()) {
        pumpUnlogged();
      }
    } finally {
      pumping = false;
    }
    if (ended && sink != null && isDrained()) {
      StreamSink finished = sink;
      if (unlogged == null && log.resultEvicted()) {
        finished.event("", EventKind.RESPONSE, evictedAnswer());
      }
      release();
      finished.end();
    }
    if (ended && sink == null && (abandoned || !resumable)) {
      close();
    }
    paceSource();
  }

  /** Nothing more will come. */
  void end() {
    if (ended) {
      return;
    }
    ended = true;
    try {
      log.end();
    } catch (RuntimeException fault) {
      failOver();
    }
    pump();
    source = StreamSource.NONE; // the stream is kept for its client, the call with its request not
  }

  /** Forgets the stream; an attached sink ends. Idempotent. */
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    ended = true;
    StreamSink last = sink;
    if (last != null) {
      boolean withheld = answered && !isDrained();
      release();
      if (withheld) {
        // a client that reads slowly is not to take a call that ran for one that did not
        last.event("", EventKind.RESPONSE, evictedAnswer());
      }
      last.end();
    }
    source = StreamSource.NONE;
    log.close();
  }

  private void pumpLog() {
    try {
      while (sink != null && !sink.full() && log.hasNext()) {
        long gap = log.gap();
        Event event = log.next();
        if (gap > 0) {
          metrics.count("event_gaps");
          sink.gap(gap);
        }
        delivered = Math.max(delivered, event.sequence());
        if (unlogged != null) {
          lastLogged = event.data();
        }
        sink.event(id(event.sequence()), event.kind(), event.data());
      }
    } catch (RuntimeException fault) {
      logIsReadable = false;
      failOver();
    }
  }

  private void pumpUnlogged() {
    while (sink != null && !sink.full() && !unlogged.isEmpty()) {
      Unlogged next = unlogged.removeFirst();
      // The store may have failed after it had taken the message.
      if (next.message() != lastLogged) {
        sink.event("", next.kind(), next.message());
      }
    }
  }

  private boolean isDrained() {
    return !hasLogged() && (unlogged == null || unlogged.isEmpty());
  }

  private boolean hasLogged() {
    return logIsReadable && log.hasNext();
  }

  private String id(long sequence) {
    return resumable ? new EventId(log.stream(), sequence).format() : "";
  }

  private void paceSource() {
    boolean lags = sink != null && unlogged == null && !ended && log.lagsByHalf();
    if (lags != sourcePaused) {
      sourcePaused = lags;
      if (lags) {
        source.pause();
      } else {
        source.resume();
      }
    }
  }

  private void release() {
    sink = null;
    try {
      log.detach();
    } catch (RuntimeException fault) {
      failOver();
    }
    paceSource();
    presence.left();
  }

  /** The store failed: the call goes on without it, and without ids. */
  private void failOver() {
    if (unlogged == null) {
      metrics.count("store_faults");
      unlogged = new ArrayDeque<>();
    }
  }

  private void hold(Unlogged message) {
    if (unlogged.size() == MAX_UNLOGGED) {
      unlogged.removeFirst();
    }
    unlogged.addLast(message);
  }
}
