package io.fairlead.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;

/** The format of event ids. Streams 5 and 6. */
class EventIdTest {

  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  @Property(tries = 2000)
  void parseGivesBackWhatWasFormatted(
      @ForAll("streams") String stream, @ForAll @LongRange(min = 0) long sequence) {
    EventId id = new EventId(stream, sequence);
    assertEquals(Optional.of(id), EventId.parse(id.format()));
    assertTrue(id.format().length() <= 64);
    assertTrue(id.format().chars().allMatch(c -> c > ' ' && c < 127));
  }

  @Property(tries = 5000)
  void parseNeverFailsAndAcceptsOnlyWhatFormatWrites(@ForAll @StringLength(max = 80) String text) {
    EventId.parse(text).ifPresent(id -> assertEquals(text, id.format()));
  }

  @Property(tries = 20000)
  void parseAcceptsOnlyWhatFormatWritesAmongNearMisses(@ForAll("nearMisses") String text) {
    EventId.parse(text).ifPresent(id -> assertEquals(text, id.format()));
  }

  @Example
  void parseSplitsAtTheLastDash() {
    assertEquals(Optional.of(new EventId("a-1-", 2)), EventId.parse("a-1--2"));
    assertEquals(Optional.of(new EventId("-", 0)), EventId.parse("--0"));
    assertEquals(Optional.of(new EventId("c17", 0)), EventId.parse("c17-0"));
  }

  @Example
  void parseAcceptsTheLongestLegalId() {
    EventId longest = new EventId("x".repeat(43), Long.MAX_VALUE);
    assertEquals(Optional.of(longest), EventId.parse(longest.format()));
    assertEquals(63, longest.format().length());
  }

  @Example
  void parseRefusesEverythingElse() {
    String[] malformed = {
      "",
      "-",
      "a",
      "a-",
      "-1",
      "a-+1",
      "a--",
      "a-01",
      "a-00",
      "a-1 ",
      " a-1",
      "a-1\n",
      "a-1\0",
      "a\0-1",
      "a b-1",
      "a.b-1",
      "a/b-1",
      "a=-1",
      "\u00e4-1",
      "a-\u0661",
      "a-\uff11",
      "a-1.0",
      "a-1e3",
      "a-0x1",
      "a_1",
      "a-9223372036854775808",
      "a-9999999999999999999",
      "a-18446744073709551617",
      "a-10000000000000000000",
      "a-00000000000000000001",
      "null",
      "x".repeat(44) + "-1",
      "x".repeat(10_240),
      "x-".repeat(5_120) + "1",
      "a-" + "1".repeat(10_240),
      "\ud83d\ude00-1",
      "a-1-x",
    };
    for (String text : malformed) {
      assertEquals(Optional.empty(), EventId.parse(text), () -> "text=" + text);
    }
  }

  @Example
  void idIsRefusedWhenItsPartsAreNotLegal() {
    assertThrows(IllegalArgumentException.class, () -> new EventId("", 1));
    assertThrows(IllegalArgumentException.class, () -> new EventId("a b", 1));
    assertThrows(IllegalArgumentException.class, () -> new EventId("x".repeat(44), 1));
    assertThrows(IllegalArgumentException.class, () -> new EventId("a", -1));
  }

  @Example
  void streamNamesAreLegalAndDiffer() {
    StreamIds ids = new StreamIds(new java.security.SecureRandom());
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      String name = ids.next();
      assertEquals(16, name.length());
      assertEquals(Optional.of(new EventId(name, i)), EventId.parse(new EventId(name, i).format()));
      assertTrue(names.add(name));
    }
  }

  @Provide
  Arbitrary<String> streams() {
    return Arbitraries.strings().withChars(ALPHABET).ofMinLength(1).ofMaxLength(43);
  }

  @Provide
  Arbitrary<String> nearMisses() {
    return Arbitraries.strings().withChars("a_-019+ \0\u0661").ofMaxLength(24);
  }
}
