package io.fairlead.gateway;

import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A bare socket that speaks TLS with a gateway, whatever its certificate. */
final class TlsSocket {

  private TlsSocket() {}

  /** A connection on which everything is negotiated; reading is bounded. */
  static SSLSocket connect(int port, String version, String... applications) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.setSoTimeout(10_000);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setProtocols(new String[] {version});
    parameters.setApplicationProtocols(applications);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /** For a certificate that is its own authority. */
  private static final class TrustsAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
