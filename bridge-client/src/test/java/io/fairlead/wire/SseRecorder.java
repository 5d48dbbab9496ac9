package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

/** Writes down everything that an {@link SseReader} says, in order, as text. */
final class SseRecorder implements SseReader.Listener {
  private final List<String> heard = new ArrayList<>();

  static String event(String id, String type, String data) {
    return "event id=" + id + " type=" + type + " data=" + data;
  }

  @Override
  public void event(SseEvent event) {
    heard.add(event(event.lastEventId(), event.type(), new String(event.data(), UTF_8)));
  }

  @Override
  public void retry(long millis) {
    heard.add("retry " + millis);
  }

  @Override
  public void comment() {
    heard.add("comment");
  }

  @Override
  public void oversize() {
    heard.add("oversize");
  }

  List<String> heard() {
    return heard;
  }

  /** Checks what was heard since the last check, and that nothing else was. */
  void assertHeard(String... expected) {
    assertEquals(List.of(expected), heard);
    heard.clear();
  }
}
