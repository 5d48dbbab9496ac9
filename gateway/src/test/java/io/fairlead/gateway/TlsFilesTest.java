package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** issue 4, TLS: what is wrong with certificate and key is told before anything listens. */
class TlsFilesTest {
  @TempDir private static Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeAll
  static void keys() throws Exception {
    TestKeys.create(directory, "ec", "EC");
    TestKeys.create(directory, "rsa", "RSA");
    TestKeys.create(directory, "other", "EC");
    Files.writeString(directory.resolve("empty"), "");
    Files.writeString(directory.resolve("password"), TestKeys.PASSWORD + "\n");
    Files.writeString(
        directory.resolve("encrypted.key"), TestKeys.pem("ENCRYPTED PRIVATE KEY", new byte[100]));
    Files.writeString(directory.resolve("broken.key"), TestKeys.pem("PRIVATE KEY", new byte[100]));
    Files.writeString(directory.resolve("broken.crt"), TestKeys.pem("CERTIFICATE", new byte[100]));
  }

  private int run(String command, String tls) throws Exception {
    Path file = directory.resolve("gateway.conf");
    Files.writeString(file, "listen.tls {\n" + tls.replace("$", directory + "/") + "\n}\n");
    out.reset();
    err.reset();
    return new Cli(new PrintStream(out), new PrintStream(err), (loading, watched) -> 0)
        .run(command, "-c", file.toString());
  }

  private static String text(ByteArrayOutputStream written) {
    return written.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "certificate = $ec.crt, key = $ec.key",
        "certificate = $rsa.crt, key = $rsa.key",
        "keystore = $ec.p12, password = canary-secret",
        "keystore = $rsa.p12, password-file = $password",
      })
  void goodFilesAreAccepted(String tls) throws Exception {
    assertEquals(0, run("check", quoted(tls)), () -> text(err));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "certificate = $no.crt, key = $ec.key     | listen.tls.certificate: cannot be read, value=",
        "certificate = $ec.crt, key = $           | listen.tls.key: cannot be read, value=",
        "certificate = $ec.crt, key = $rsa.key    | listen.tls.key: cannot be read, or is of",
        "certificate = $other.crt, key = $ec.key | listen.tls.key: does not belong to the cert",
        "certificate = $ec.key, key = $ec.key     | listen.tls.certificate: holds no BEGIN CERT",
        "certificate = $ec.crt, key = $ec.crt     | listen.tls.key: holds no PRIVATE KEY",
        "certificate = $ec.crt, key = $empty      | listen.tls.key: holds no PRIVATE KEY",
        "certificate = $ec.crt, key = $encrypted.key | listen.tls.key: is encrypted; write it with",
        "certificate = $ec.crt, key = $broken.key | listen.tls.key: cannot be read, or is of",
        "certificate = $broken.crt, key = $ec.key | listen.tls.key: cannot be read, or is of",
        "keystore = $ec.p12, password = canary-x  | listen.tls.keystore: cannot be opened",
        "keystore = $ec.crt, password = canary-x  | listen.tls.keystore: cannot be opened",
        "keystore = $ec.p12, password-file = $no  | listen.tls.password-file: cannot be read",
        "certificate = $ec.crt                    | listen.tls.key: is missing",
        "key = $ec.key                            | listen.tls.certificate: is missing",
        "keystore = $ec.p12                       | listen.tls.password: is missing",
        "password = canary-x                      | listen.tls.password: is set, but there is no",
      })
  void wrongFilesAreRefusedWithTheirPlace(String tls, String told) throws Exception {
    assertEquals(3, run("check", quoted(tls)));
    String line = text(err);
    assertTrue(line.startsWith(directory + "/gateway.conf:"), line);
    assertTrue(line.contains(told), line);
    assertFalse(line.contains("canary"), line);
  }

  @Test
  void passwordIsMasked() throws Exception {
    assertEquals(0, run("print-config", quoted("keystore = $ec.p12, password = canary-secret")));
    assertFalse(text(out).contains("canary"), text(out));
    assertTrue(text(out).contains("password=\"***\""), text(out));
  }

  /** Paths hold characters that HOCON wants in quotes. */
  private static String quoted(String tls) {
    List<String> lines = new ArrayList<>();
    for (String pair : tls.split(", ")) {
      String[] parts = pair.split(" = ");
      lines.add(parts[0] + " = \"" + parts[1].strip() + "\"");
    }
    return String.join("\n", lines);
  }
}
