package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** Inputs that were picked by hand, from {@code src/test/resources/wire}. */
final class Corpus {

  private Corpus() {}

  /** The inputs of a file by their description, in order. */
  static Map<String, byte[]> of(String file) {
    Map<String, byte[]> inputs = new LinkedHashMap<>();
    try (InputStream in = Corpus.class.getResourceAsStream("/wire/" + file)) {
      for (String line : new String(in.readAllBytes(), UTF_8).split("\n")) {
        if (!line.startsWith("#")) {
          String[] parts = line.split("\t", 2);
          if (inputs.put(parts[0], bytes(parts[1])) != null) {
            throw new IllegalStateException("twice: " + parts[0]);
          }
        }
      }
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
    return inputs;
  }

  private static byte[] bytes(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("\\x", i)) {
        bytes.write(Integer.parseInt(text.substring(i + 2, i + 4), 16));
        i += 3;
      } else {
        bytes.write(text.charAt(i));
      }
    }
    return bytes.toByteArray();
  }
}
