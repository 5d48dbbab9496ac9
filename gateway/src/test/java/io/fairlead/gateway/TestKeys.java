package io.fairlead.gateway;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates for localhost and their keys, signed by themselves, made by the JDK's keytool. */
record TestKeys(Path keystore, Path certificate, Path key) {
  static final String PASSWORD = "canary-secret";

  /** As {@code name.p12}, {@code name.crt} and {@code name.key} in {@code directory}. */
  static TestKeys create(Path directory, String name, String algorithm) throws Exception {
    TestKeys keys =
        new TestKeys(
            directory.resolve(name + ".p12"),
            directory.resolve(name + ".crt"),
            directory.resolve(name + ".key"));
    keytool(keys.keystore, algorithm);
    char[] password = PASSWORD.toCharArray();
    KeyStore store = KeyStore.getInstance(keys.keystore.toFile(), password);
    Files.writeString(
        keys.certificate, pem("CERTIFICATE", store.getCertificate("server").getEncoded()));
    Files.writeString(keys.key, pem("PRIVATE KEY", store.getKey("server", password).getEncoded()));
    return keys;
  }

  private static void keytool(Path store, String algorithm) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    String arguments =
        "-genkeypair -keyalg %s -dname CN=localhost -ext san=dns:localhost,ip:127.0.0.1 -alias server"
            .formatted(algorithm.equals("RSA") ? "RSA -keysize 2048" : algorithm);
    command.addAll(List.of(arguments.split(" ")));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    command.addAll(List.of("-keystore", store.toString()));
    int code = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (code != 0) {
      throw new AssertionError("keytool ended with code=" + code);
    }
  }

  static String pem(String kind, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes), kind);
  }

  /** The section {@code listen.tls} with the PEM files. */
  String hocon() {
    return "listen.tls { certificate = \"%s\", key = \"%s\" }\n".formatted(certificate, key);
  }
}
