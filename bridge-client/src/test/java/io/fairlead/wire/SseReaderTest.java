package io.fairlead.wire;

import static io.fairlead.wire.SseRecorder.event;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** streams 48: one test for each rule of HTML (WHATWG), section 9.2.5 and 9.2.6. */
class SseReaderTest {
  private final SseRecorder recorder = new SseRecorder();
  private final SseReader reader = new SseReader(1000, recorder);

  private void feed(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    reader.feed(bytes, 0, bytes.length);
  }

  @AfterEach
  void nothingElseWasHeard() {
    recorder.assertHeard();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n"})
  @DisplayName("a line ends with CRLF, LF or CR")
  void lineEnds(String end) {
    feed("data: a" + end + "data: b" + end + end + "data: c" + end + end);
    // of two CRs the second ends the event, of two CRLFs the CR does
    recorder.assertHeard(event("", "message", "a\nb"), event("", "message", "c"));
  }

  @Test
  @DisplayName("CR, LF and CRLF may be mixed")
  void lineEndsAreMixed() {
    feed("data: a\rdata: b\ndata: c\r\n\ndata: d\n\r\ndata: e\n\rdata: f\r\r\n");
    recorder.assertHeard(
        event("", "message", "a\nb\nc"),
        event("", "message", "d"),
        event("", "message", "e"),
        event("", "message", "f"));
  }

  @Test
  @DisplayName("LF after CR is part of the same line end, also in the next piece")
  void crlfIsSplit() {
    feed("data: a\r");
    feed("");
    feed("\ndata: b\r");
    recorder.assertHeard();
    feed("\r");
    recorder.assertHeard(event("", "message", "a\nb"));
    feed("\n");
    feed("\n");
  }

  @Test
  @DisplayName("one leading BOM is dropped")
  void bomIsDropped() {
    feed("\ufeffdata: a\n\n");
    recorder.assertHeard(event("", "message", "a"));
  }

  @Test
  @DisplayName("a second BOM, and one later, is part of a field name")
  void onlyOneBomIsDropped() {
    feed("\ufeff\ufeffdata: a\n\ufeffdata: b\ndata: \ufeffc\n\n");
    recorder.assertHeard(event("", "message", "\ufeffc"));
  }

  @Test
  @DisplayName("a BOM may stand before a comment or a blank line")
  void bomStandsAlone() {
    feed("\ufeff\ndata: a\n\n");
    recorder.assertHeard(event("", "message", "a"));
    SseReader other = new SseReader(100, recorder);
    byte[] bytes = "\ufeff:c\n".getBytes(UTF_8);
    other.feed(bytes, 0, bytes.length);
    recorder.assertHeard("comment");
  }

  @Test
  @DisplayName("a blank line dispatches the event")
  void blankLineDispatches() {
    feed("data: a\n");
    recorder.assertHeard();
    feed("\n");
    recorder.assertHeard(event("", "message", "a"));
    feed("\n\n\n");
  }

  @Test
  @DisplayName("a line that starts with a colon is ignored")
  void commentIsIgnored() {
    feed(": data: x\n:\n:id: 7\n\n");
    recorder.assertHeard("comment", "comment", "comment");
    assertEquals("", reader.lastEventId());
  }

  @Test
  @DisplayName("a comment inside of an event does not divide it")
  void commentStandsInsideOfAnEvent() {
    feed("data: a\n: c\ndata: b\n\n");
    recorder.assertHeard("comment", event("", "message", "a\nb"));
  }

  @Test
  @DisplayName("the name ends at the first colon")
  void firstColonDivides() {
    feed("data:a:b: c\n\n");
    recorder.assertHeard(event("", "message", "a:b: c"));
  }

  @Test
  @DisplayName("one space after the colon is removed, and nothing else")
  void oneSpaceIsRemoved() {
    feed("data: a\ndata:b\ndata:  c\ndata:\td\ndata: e \n\n");
    recorder.assertHeard(event("", "message", "a\nb\n c\n\td\ne "));
  }

  @Test
  @DisplayName("the space is also removed if it comes in the next piece")
  void spaceIsSplit() {
    feed("data:");
    feed(" a\ndata: ");
    feed(" b\n\n");
    recorder.assertHeard(event("", "message", "a\n b"));
  }

  @Test
  @DisplayName("a line without colon is a name with an empty value")
  void nakedNames() {
    feed("data\n\nevent: x\nevent\ndata\ndata\n\nid: 3\nid\nretry\ndata\n\n");
    recorder.assertHeard(
        event("", "message", ""), event("", "message", "\n"), event("", "message", ""));
  }

  @Test
  @DisplayName("names are compared literally, without folding case")
  void namesAreLiteral() {
    feed("Data: a\nDATA: b\n data: c\ndata : d\ndat: e\ndatas: f\nID: 1\nEvent: x\nRetry: 1\n\n");
    assertEquals("", reader.lastEventId());
  }

  @Test
  @DisplayName("unknown fields are ignored, however long")
  void unknownFieldsAreIgnored() {
    feed("x: 1\n" + "y".repeat(5000) + "\nz:" + "z".repeat(5000) + "\ndata: a\n\n");
    recorder.assertHeard(event("", "message", "a"));
  }

  @Test
  @DisplayName("event sets the type, the last one counts, an empty one is message")
  void typeIsSet() {
    feed("event: a\nevent: b\ndata: 1\n\nevent: c\nevent:\ndata: 2\n\n");
    recorder.assertHeard(event("", "b", "1"), event("", "message", "2"));
  }

  @Test
  @DisplayName("the type does not outlive the event, nor a block without data")
  void typeIsReset() {
    feed("event: a\ndata: 1\n\ndata: 2\n\nevent: b\n\ndata: 3\n\n");
    recorder.assertHeard(event("", "a", "1"), event("", "message", "2"), event("", "message", "3"));
  }

  @Test
  @DisplayName("data lines are joined by LF")
  void dataIsJoined() {
    feed("data: a\ndata\ndata: b\ndata:\n\n");
    recorder.assertHeard(event("", "message", "a\n\nb\n"));
  }

  @Test
  @DisplayName("an empty data line makes an event with empty data (a priming event)")
  void emptyDataIsAnEvent() {
    feed("id: p\ndata:\n\ndata: \n\n");
    recorder.assertHeard(event("p", "message", ""), event("p", "message", ""));
  }

  @Test
  @DisplayName("a block without data is no event")
  void blockWithoutDataIsNoEvent() {
    feed("event: x\nfoo: y\n\n");
  }

  @Test
  @DisplayName("id stays until another one comes")
  void idStays() {
    feed("id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\n");
    recorder.assertHeard(
        event("1", "message", "a"), event("1", "message", "b"), event("2", "message", "c"));
  }

  @Test
  @DisplayName("a block with an id alone moves the last event id without an event")
  void idAloneMoves() {
    feed("id: 1\n\n");
    assertEquals("1", reader.lastEventId());
    feed("data: a\n\n");
    recorder.assertHeard(event("1", "message", "a"));
  }

  @Test
  @DisplayName("an empty id resets the last event id")
  void emptyIdResets() {
    feed("id: 1\ndata: a\n\nid\ndata: b\n\n");
    recorder.assertHeard(event("1", "message", "a"), event("", "message", "b"));
    assertEquals("", reader.lastEventId());
  }

  @Test
  @DisplayName("an id with NUL is ignored")
  void idWithNulIsIgnored() {
    feed("id: 1\nid: 2\0\ndata: a\n\n");
    recorder.assertHeard(event("1", "message", "a"));
  }

  @Test
  @DisplayName("the last id of a block counts, wherever it stands")
  void lastIdCounts() {
    feed("id: 1\ndata: a\nid: 2\n\n");
    recorder.assertHeard(event("2", "message", "a"));
  }

  @Test
  @DisplayName("an id is not seen before its event is complete")
  void idIsNotSeenEarly() {
    feed("id: 1\ndata: a\n\nid: 2\ndata: b\n");
    recorder.assertHeard(event("1", "message", "a"));
    assertEquals("1", reader.lastEventId());
  }

  @Test
  @DisplayName("ids and types are UTF-8")
  void fieldsAreUtf8() {
    feed("id: é😀\nevent: ü\ndata: 😀\n\n");
    recorder.assertHeard(event("é😀", "ü", "😀"));
  }

  @Test
  @DisplayName("retry is taken if it is digits only")
  void retryIsDigits() {
    feed("retry: 1500\nretry:0\nretry: 007\n");
    recorder.assertHeard("retry 1500", "retry 0", "retry 7");
    feed("retry: 1.5\nretry: -1\nretry: +1\nretry: 1s\nretry:  1\nretry:\nretry: ١\nretry: 1 \n");
  }

  @Test
  @DisplayName("a retry of very many digits is very long, not negative")
  void retryIsBounded() {
    feed("retry: " + "9".repeat(500) + "\n");
    assertEquals(1, recorder.heard().size());
    long millis = Long.parseLong(recorder.heard().remove(0).substring("retry ".length()));
    assertEquals(1, Long.signum(millis - 1_000_000_000_000L));
  }

  @Test
  @DisplayName("a partial last event is dropped")
  void partialEventIsDropped() {
    feed("data: a\n\nid: 9\ndata: b\nda");
    recorder.assertHeard(event("", "message", "a"));
    assertEquals("", reader.lastEventId());
  }
}
