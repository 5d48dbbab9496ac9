package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

/**
 * A peer that cuts its streams, a link to it, and what it was asked after that.
 *
 * <p>Thread: the test's.
 */
abstract class ResumeBench extends LinkBench {
  protected static final String NOTE = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}";

  /** The POST's stream: one event with id x, then a cut. */
  protected static void eventThenCut(FaultyPeer.Request request, Wire wire)
      throws java.io.IOException {
    wire.sse().event("x", NOTE);
    wire.rst();
  }

  protected static FaultyPeer.Script resumeWithAnswer(String id) {
    return (request, wire) -> wire.sse().event("last", McpPeer.result(id)).end();
  }

  protected List<FaultyPeer.Request> resumes() {
    return peer.http.gets().stream()
        .filter(get -> get.header("Last-Event-ID").isPresent())
        .toList();
  }

  protected void assertOnePost() {
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  protected static List<Long> gapsMillis(List<FaultyPeer.Request> requests) {
    List<Long> gaps = new ArrayList<>();
    for (int i = 1; i < requests.size(); i++) {
      gaps.add((requests.get(i).nanos() - requests.get(i - 1).nanos()) / 1_000_000);
    }
    return gaps;
  }
}
