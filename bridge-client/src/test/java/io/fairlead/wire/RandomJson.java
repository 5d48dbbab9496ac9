package io.fairlead.wire;

import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;

/** Writes random JSON in all the ways that the grammar allows. */
final class RandomJson {
  private static final String[] CHARACTERS = {
    "a",
    "b",
    "Z",
    "0",
    " ",
    "/",
    "\u007f",
    "é",
    "߿",
    "€",
    "\ufeff",
    "\ue000",
    "😀",
    "\udbff\udfff",
    "\\\"",
    "\\\\",
    "\\/",
    "\\b",
    "\\f",
    "\\n",
    "\\r",
    "\\t",
    "\\u0000",
    "\\u0061",
    "\\u00E9",
    "\\uD83D\\ude00",
    "\\ud83d",
    "\\uDE00",
    "\\uffff",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":"
  };
  private static final String[] NUMBERS = {
    "0",
    "-0",
    "1",
    "-1",
    "12",
    "9007199254740993",
    "-123456789012345678901234567890",
    "0.5",
    "-0.25",
    "1e2",
    "1E+2",
    "1.5e-3",
    "1e400",
    "0.1000000000000000055511151231257827"
  };

  private final Random random;

  RandomJson(Random random) {
    this.random = random;
  }

  String value(int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> pick("true", "false", "null");
      case 1, 2 -> number();
      case 3, 4 -> string();
      case 5 -> array(depth - 1);
      default -> object(depth - 1);
    };
  }

  String object(int depth, String... members) {
    StringBuilder text = new StringBuilder("{").append(space());
    Set<String> names = new LinkedHashSet<>();
    while (names.size() < random.nextInt(5)) {
      names.add("x" + Integer.toString(names.size() + random.nextInt(100), 36));
    }
    String separator = "";
    int given = 0;
    for (String name : names) {
      while (given < members.length && random.nextInt(3) == 0) {
        text.append(separator).append(space()).append(members[given++]).append(space());
        separator = ",";
      }
      text.append(separator).append(space()).append(member(name, value(depth))).append(space());
      separator = ",";
    }
    while (given < members.length) {
      text.append(separator).append(space()).append(members[given++]).append(space());
      separator = ",";
    }
    return text.append('}').toString();
  }

  /** A member with its name spelled in some way. */
  String member(String name, String value) {
    StringBuilder text = new StringBuilder("\"");
    for (char c : name.toCharArray()) {
      text.append(random.nextInt(10) == 0 ? String.format("\\u%04x", (int) c) : String.valueOf(c));
    }
    return text.append('"').append(space()).append(':').append(space()).append(value).toString();
  }

  String string() {
    StringBuilder text = new StringBuilder("\"");
    for (int left = random.nextInt(12); left > 0; left--) {
      text.append(pick(CHARACTERS));
    }
    return text.append('"').toString();
  }

  String number() {
    return pick(NUMBERS);
  }

  String space() {
    return random.nextInt(4) == 0 ? pick(" ", "\n", "\r\n", "\t", "   ") : "";
  }

  String pick(String... of) {
    return of[random.nextInt(of.length)];
  }

  private String array(int depth) {
    StringBuilder text = new StringBuilder("[").append(space());
    String separator = "";
    for (int left = random.nextInt(5); left > 0; left--) {
      text.append(separator).append(space()).append(value(depth)).append(space());
      separator = ",";
    }
    return text.append(']').toString();
  }
}
