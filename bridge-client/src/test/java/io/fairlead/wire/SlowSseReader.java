package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.util.List;

/** Reads an event stream with the whole text before it, by the words of the standard. */
final class SlowSseReader {

  private static final BigInteger LONGEST = BigInteger.valueOf(SseReader.ENDLESS);

  private SlowSseReader() {}

  /** Bytes are kept as Latin-1 characters, so that data stays what it was. */
  static List<String> read(byte[] bytes) {
    SseRecorder to = new SseRecorder();
    String text = new String(bytes, ISO_8859_1).replaceFirst("^\u00ef\u00bb\u00bf", "");
    String[] lines = text.split("\r\n|\n|\r", -1);
    String data = "";
    String type = "";
    String id = "";
    String lastId = "";
    for (int i = 0; i < lines.length - 1; i++) {
      String line = lines[i];
      int colon = line.indexOf(':');
      String name = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1).replaceFirst("^ ", "");
      if (line.isEmpty()) {
        lastId = id;
        if (!data.isEmpty()) {
          byte[] all = data.substring(0, data.length() - 1).getBytes(ISO_8859_1);
          to.event(new SseEvent(utf8(lastId), type.isEmpty() ? "message" : utf8(type), all));
        }
        data = "";
        type = "";
      } else if (colon == 0) {
        to.comment();
      } else if (name.equals("event")) {
        type = value;
      } else if (name.equals("data")) {
        data += value + "\n";
      } else if (name.equals("id") && value.indexOf('\0') < 0) {
        id = value;
      } else if (name.equals("retry") && value.matches("[0-9]+")) {
        to.retry(new BigInteger(value).min(LONGEST).longValue());
      }
    }
    to.heard().add("last " + utf8(lastId));
    return to.heard();
  }

  private static String utf8(String latin) {
    return new String(latin.getBytes(ISO_8859_1), UTF_8);
  }
}
