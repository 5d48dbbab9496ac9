package io.fairlead.gateway.interop;

import java.util.Map;

/**
 * The matrix's tools, served over HTTP by an SDK, in a process that can be started again.
 *
 * <p>Thread: one at a time. Owner: the test that started it.
 */
final class MatrixServer implements AutoCloseable {
  private final MatrixPeer peer;
  private final Ledger ledger;
  private final int port = NodeProcess.freePort();
  private NodeProcess process;

  private MatrixServer(MatrixPeer peer, Ledger ledger) {
    this.peer = peer;
    this.ledger = ledger;
  }

  static MatrixServer start(MatrixPeer peer, Ledger ledger) {
    MatrixServer server = new MatrixServer(peer, ledger);
    server.start();
    return server;
  }

  int port() {
    return port;
  }

  void restart() {
    close();
    start();
  }

  @Override
  public void close() {
    process.close();
  }

  private void start() {
    process =
        NodeProcess.start(
            Map.of(), line -> {}, "matrix-server", peer.server(ledger.file(), "--http", port));
    try {
      process.awaitPort(port);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
