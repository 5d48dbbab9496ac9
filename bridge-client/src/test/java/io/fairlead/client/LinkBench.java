package io.fairlead.client;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A peer, and a link that is open to it, for each test.
 *
 * <p>Thread: the test's.
 */
abstract class LinkBench {
  protected McpPeer peer;
  protected LinkBed bed;

  @BeforeEach
  void open() throws Exception {
    peer = new McpPeer();
    bed = new LinkBed(peer.http.url());
  }

  @AfterEach
  void close() throws Exception {
    bed.close();
    peer.close();
  }
}
