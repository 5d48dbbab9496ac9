package io.fairlead.gateway.session;

import io.fairlead.store.EventKind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A sink that writes down what it gets, and takes no more than it is allowed to. */
final class RecordingSink implements StreamSink {
  final List<String> messages = new ArrayList<>();
  final List<String> ids = new ArrayList<>();
  long gaps;
  int room = Integer.MAX_VALUE;
  boolean ended;
  boolean displaced;
  boolean left;
  Runnable onEvent = () -> {};

  @Override
  public void attachTo(RequestStream stream, long cursor) {
    stream.attach(cursor, this);
  }

  @Override
  public boolean canReturn() {
    return true;
  }

  @Override
  public boolean full() {
    return room <= 0;
  }

  @Override
  public void event(String id, EventKind kind, byte[] message) {
    if (ended || displaced) {
      throw new AssertionError("event after the end");
    }
    room--;
    ids.add(id);
    messages.add(new String(message, StandardCharsets.UTF_8));
    onEvent.run();
  }

  @Override
  public void gap(long events) {
    gaps += events;
  }

  @Override
  public void end() {
    if (ended) {
      throw new AssertionError("ended twice");
    }
    ended = true;
  }

  @Override
  public void displaced() {
    displaced = true;
  }

  @Override
  public void poll(Duration retry) {
    ended = true;
  }
}
