package io.fairlead.gateway.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version of this build, as the build wrote it. */
public final class Version {
  /** As in {@code 0.1.0}. */
  public static final String TEXT = read();

  private Version() {}

  private static String read() {
    try (InputStream text = Version.class.getResourceAsStream("version")) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
