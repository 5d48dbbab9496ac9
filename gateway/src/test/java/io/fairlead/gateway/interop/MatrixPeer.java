package io.fairlead.gateway.interop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * An SDK of the compatibility matrix, in one version.
 *
 * @param name of the SDK
 * @param version that is installed
 * @param client its client's command line, up to the URL
 * @param server its server's command line, up to the ledger's file
 * @param http whether that server also listens on a port
 */
record MatrixPeer(
    String name, String version, List<String> client, List<String> server, boolean http) {

  /** The client's whole command line. */
  List<String> client(Object... arguments) {
    return with(client, arguments);
  }

  /** The server's whole command line. */
  List<String> server(Object... arguments) {
    return with(server, arguments);
  }

  String title() {
    return name + " " + version;
  }

  @Override
  public String toString() {
    return title();
  }

  private static List<String> with(List<String> prefix, Object... arguments) {
    return new ArrayList<>(
        Stream.concat(prefix.stream(), Arrays.stream(arguments).map(Object::toString)).toList());
  }
}
