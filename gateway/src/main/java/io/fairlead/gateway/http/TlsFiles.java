package io.fairlead.gateway.http;

import io.fairlead.gateway.config.TlsConfig;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/**
 * Reads what {@code listen.tls} names, and makes sure that it can be served with: a certificate and
 * the private key that belongs to it.
 *
 * <p>Thread: any that may block; stateless.
 */
public final class TlsFiles {
  private static final List<String> KEY_TYPES = List.of("RSA", "EC");

  /** What is wrong with which key of {@code listen.tls}: expected, so without a stack. */
  public static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final String what;
    private final String remedy;

    Unusable(String key, String what, String remedy) {
      super("listen.tls." + key + ": " + what + "; " + remedy, null, false, false);
      this.key = key;
      this.what = what;
      this.remedy = remedy;
    }

    /** The name within {@code listen.tls}. */
    public String key() {
      return key;
    }

    public String what() {
      return what;
    }

    public String remedy() {
      return remedy;
    }
  }

  private TlsFiles() {}

  /**
   * @throws Unusable when a file is missing, cannot be read or is not what it should be
   */
  public static KeyCertOptions read(TlsConfig tls) throws Unusable {
    return tls.keystore().isPresent() ? keystore(tls, tls.keystore().get()) : pem(tls);
  }

  private static KeyCertOptions pem(TlsConfig tls) throws Unusable {
    Buffer certificate = bytes("certificate", tls.certificate().orElseThrow());
    Buffer key = bytes("key", tls.key().orElseThrow());
    marked("certificate", certificate, "-----BEGIN CERTIFICATE-----", "a certificate");
    marked("key", key, "PRIVATE KEY-----", "a private key");
    if (key.toString().contains("ENCRYPTED")) {
      throw new Unusable(
          "key",
          "is encrypted",
          "write it without a password (openssl pkey -in OLD -out NEW), readable by this user alone");
    }
    KeyCertOptions options = new PemKeyCertOptions().setCertValue(certificate).setKeyValue(key);
    check(options, "key", "cannot be read, or is of another kind than the certificate");
    return options;
  }

  private static KeyCertOptions keystore(TlsConfig tls, String file) throws Unusable {
    Buffer store = bytes("keystore", file);
    String password =
        tls.passwordFile().isPresent()
            ? bytes("password-file", tls.passwordFile().get()).toString().strip()
            : tls.password().orElseThrow();
    KeyCertOptions options = new PfxOptions().setValue(store).setPassword(password);
    check(options, "keystore", "cannot be opened: it is not PKCS12, or the password is another");
    return options;
  }

  private static Buffer bytes(String key, String file) throws Unusable {
    try {
      return Buffer.buffer(Files.readAllBytes(Path.of(file)));
    } catch (IOException | InvalidPathException e) {
      throw new Unusable(
          key,
          "cannot be read, value=" + file + " error=" + e.getClass().getSimpleName(),
          "name an existing file that this user may read");
    }
  }

  private static void marked(String key, Buffer pem, String mark, String what) throws Unusable {
    if (!pem.toString().contains(mark)) {
      throw new Unusable(key, "holds no " + mark.replace("-", ""), "name the PEM file of " + what);
    }
  }

  /** At least one certificate, and each with the key that belongs to it. */
  private static void check(KeyCertOptions options, String key, String broken) throws Unusable {
    int found = 0;
    try {
      // without paths nothing is read, so that there is no need of a Vertx
      for (KeyManager one : options.getKeyManagerFactory(null).getKeyManagers()) {
        for (String type : KEY_TYPES) {
          found += matching((X509KeyManager) one, type, key);
        }
      }
    } catch (Unusable mismatch) {
      throw mismatch;
    } catch (Exception e) {
      // not with its text, which may hold what stands in the file
      throw new Unusable(key, broken, "look into it with openssl, and name the right one");
    }
    if (found == 0) {
      throw new Unusable(
          key, "holds no private key with a certificate", "make one of type RSA or EC");
    }
  }

  private static int matching(X509KeyManager keys, String type, String key)
      throws Unusable, GeneralSecurityException {
    String[] aliases = keys.getServerAliases(type, null);
    if (aliases == null) {
      return 0;
    }
    for (String alias : aliases) {
      PublicKey certified = keys.getCertificateChain(alias)[0].getPublicKey();
      if (!belongTogether(certified, keys.getPrivateKey(alias))) {
        throw new Unusable(
            key, "does not belong to the certificate", "name the key that it was made for");
      }
    }
    return aliases.length;
  }

  /** Whether what the one signs, the other verifies. */
  private static boolean belongTogether(PublicKey certified, PrivateKey key)
      throws GeneralSecurityException {
    if (!certified.getAlgorithm().equals(key.getAlgorithm())) {
      return false;
    }
    String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
    byte[] message = {1, 2, 3};
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(message);
    byte[] signed = signature.sign();
    signature.initVerify(certified);
    signature.update(message);
    return signature.verify(signed);
  }
}
