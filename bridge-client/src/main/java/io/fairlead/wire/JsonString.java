package io.fairlead.wire;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What stands between the quotes of a JSON string: checked, decoded and written.
 *
 * <p>Thread: any; without state.
 */
final class JsonString {
  /** ASCII that stands for itself. */
  private static final boolean[] PLAIN = new boolean[256];

  private static final char[] HEX = "0123456789abcdef".toCharArray();

  static {
    for (int b = 0x20; b < 0x80; b++) {
      PLAIN[b] = b != '"' && b != '\\';
    }
  }

  private JsonString() {}

  /** The first offset from {@code at} whose byte is not plain ASCII, or {@code end}. */
  static int skipPlain(byte[] bytes, int at, int end) {
    int next = at;
    while (next < end && PLAIN[bytes[next] & 0xff]) {
      next++;
    }
    return next;
  }

  /**
   * The length of the UTF-8 sequence of two to four bytes at {@code at}; 0 if it is ill-formed
   * (Unicode, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF) or cut.
   */
  static int sequence(byte[] bytes, int at, int end) {
    int lead = bytes[at] & 0xff;
    int length = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length == 0 || end - at < length) {
      return 0;
    }
    int second = bytes[at + 1] & 0xff;
    int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) {
      return 0;
    }
    for (int i = 2; i < length; i++) {
      if ((bytes[at + i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  /**
   * The length of the escape at {@code at}, where the backslash stands; 0 if there is no such
   * escape. A surrogate pair is one escape, and so is half of one that stands alone.
   */
  static int escape(byte[] bytes, int at, int end) {
    if (end - at < 2) {
      return 0;
    }
    switch (bytes[at + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
        return 2;
      case 'u':
        int unit = unit(bytes, at, end);
        if (unit < 0) {
          return 0;
        }
        int low = Character.isHighSurrogate((char) unit) ? unit(bytes, at + 6, end) : -1;
        return low >= 0 && Character.isLowSurrogate((char) low) ? 12 : 6;
      default:
        return 0;
    }
  }

  /** The UTF-16 unit of the six bytes of a {@code \\u} escape, or -1. */
  private static int unit(byte[] bytes, int at, int end) {
    if (end - at < 6 || bytes[at] != '\\' || bytes[at + 1] != 'u') {
      return -1;
    }
    int unit = 0;
    for (int i = 2; i < 6; i++) {
      int digit = Character.digit(bytes[at + i], 16);
      if (digit < 0) {
        return -1;
      }
      unit = unit << 4 | digit;
    }
    return unit;
  }

  /**
   * Writes the decoded text of a string that was checked, as UTF-8, and gives the offset after it.
   * The text is never longer than its escapes. Half a surrogate pair becomes the three bytes that
   * UTF-8 would have for it, which stand in no checked string: so texts are equal if their bytes
   * are. For comparing alone, never to be sent.
   */
  static int decode(byte[] from, int start, int end, byte[] to, int at) {
    int out = at;
    int in = start;
    while (in < end) {
      if (from[in] != '\\') {
        to[out++] = from[in++];
        continue;
      }
      int length = escape(from, in, end);
      if (length <= 2) {
        to[out++] = simple(from[in + 1]);
        in += 2;
      } else {
        int unit = unit(from, in, end);
        int code =
            length == 6 ? unit : Character.toCodePoint((char) unit, (char) unit(from, in + 6, end));
        out = utf8(code, to, out);
        in += length;
      }
    }
    return out;
  }

  /** The text of a string whose quotes stand around {@code start} and {@code end}. */
  static String text(byte[] bytes, int start, int end) {
    int at = escapeFrom(bytes, start, end);
    if (at == end) {
      return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }
    StringBuilder text = new StringBuilder(end - start);
    int plain = start;
    while (at < end) {
      text.append(new String(bytes, plain, at - plain, StandardCharsets.UTF_8));
      boolean unit = bytes[at + 1] == 'u';
      text.append(unit ? (char) unit(bytes, at, end) : (char) simple(bytes[at + 1]));
      plain = at + (unit ? 6 : 2);
      at = escapeFrom(bytes, plain, end);
    }
    return text.append(new String(bytes, plain, end - plain, StandardCharsets.UTF_8)).toString();
  }

  /** The offset of the next backslash, or {@code end}. */
  private static int escapeFrom(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && bytes[at] != '\\') {
      at++;
    }
    return at;
  }

  /**
   * Appends {@code text} with quotes; half a surrogate pair becomes its escape if {@code exact},
   * else U+FFFD, which every reader takes.
   */
  static void quote(String text, boolean exact, StringBuilder to) {
    to.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        to.append('\\').append(c);
      } else if (c < 0x20) {
        control(c, to);
      } else if (!Character.isSurrogate(c)) {
        to.append(c);
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        to.append(c).append(text.charAt(++i));
      } else {
        to.append(exact ? "\\u" + Integer.toHexString(c) : "\ufffd");
      }
    }
    to.append('"');
  }

  private static void control(char c, StringBuilder to) {
    Optional<String> name =
        switch (c) {
          case '\b' -> Optional.of("\\b");
          case '\f' -> Optional.of("\\f");
          case '\n' -> Optional.of("\\n");
          case '\r' -> Optional.of("\\r");
          case '\t' -> Optional.of("\\t");
          default -> Optional.empty();
        };
    to.append(name.orElseGet(() -> "\\u00" + HEX[c >> 4] + HEX[c & 15]));
  }

  private static byte simple(byte escape) {
    return switch (escape) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> escape;
    };
  }

  private static int utf8(int code, byte[] to, int at) {
    int out = at;
    if (code < 0x80) {
      to[out++] = (byte) code;
      return out;
    }
    if (code < 0x800) {
      to[out++] = (byte) (0xc0 | code >> 6);
    } else {
      if (code < 0x10000) {
        to[out++] = (byte) (0xe0 | code >> 12);
      } else {
        to[out++] = (byte) (0xf0 | code >> 18);
        to[out++] = (byte) (0x80 | code >> 12 & 0x3f);
      }
      to[out++] = (byte) (0x80 | code >> 6 & 0x3f);
    }
    to[out++] = (byte) (0x80 | code & 0x3f);
    return out;
  }
}
