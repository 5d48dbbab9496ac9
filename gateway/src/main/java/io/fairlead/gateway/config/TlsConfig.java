package io.fairlead.gateway.config;

import java.util.List;
import java.util.Optional;

/**
 * What the listener proves its name with: PEM files, or a PKCS12 keystore.
 *
 * @param certificate PEM file with the certificate, followed by those that it was signed with
 * @param key PEM file with the private key
 * @param keystore PKCS12 file with both
 * @param password of the keystore; a secret
 * @param passwordFile file with the password of the keystore
 */
public record TlsConfig(
    Optional<String> certificate,
    Optional<String> key,
    Optional<String> keystore,
    Optional<String> password,
    Optional<String> passwordFile) {

  /** Nothing is set. */
  static final TlsConfig OFF =
      new TlsConfig(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  public TlsConfig {
    boolean pem = certificate.isPresent() || key.isPresent();
    new Checks()
        .rule(
            !pem || certificate.isPresent(),
            List.of("certificate", "key"),
            "is missing, and key is set",
            "name the PEM file of the certificate too")
        .rule(
            !pem || key.isPresent(),
            List.of("key", "certificate"),
            "is missing, and certificate is set",
            "name the PEM file of the private key too")
        .rule(
            !pem || keystore.isEmpty(),
            List.of("keystore", "certificate"),
            "is set together with PEM files",
            "write either certificate and key, or keystore")
        .rule(
            keystore.isPresent() || password.isEmpty() && passwordFile.isEmpty(),
            List.of(password.isPresent() ? "password" : "password-file", "keystore"),
            "is set, but there is no keystore",
            "remove it, or name the keystore that it opens")
        .rule(
            keystore.isEmpty() || password.isPresent() != passwordFile.isPresent(),
            List.of("password", "password-file"),
            password.isPresent() ? "is set together with password-file" : "is missing",
            "write either password = ${NAME} or password-file")
        .done();
  }

  @Override
  public String toString() {
    return "TlsConfig[certificate=%s, key=%s, keystore=%s, password=%s, passwordFile=%s]"
        .formatted(certificate, key, keystore, password.map(secret -> Masked.VALUE), passwordFile);
  }
}
