package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fairlead.gateway.auth.Principal;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;

/**
 * Opens stdio backends for tests, and checks after each test that no process and no thread of
 * theirs is left.
 *
 * <p>Thread: the test's.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StdioBench {
  static final String PARAMS =
      "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
          + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}";

  protected final OwnerLoop loop = new OwnerLoop();
  protected final LinkRecorder linkListener = new LinkRecorder();
  protected StdioBackend backend;

  protected StdioBackend start(StdioFixture fixture) {
    return start(fixture, false);
  }

  /**
   * @param sharesLinks whether one link serves several clients
   */
  protected StdioBackend start(StdioFixture fixture, boolean sharesLinks) {
    linkListener.takeAll();
    backend =
        loop.call(() -> new StdioBackend("tested", fixture.config(), loop.context(), sharesLinks));
    return backend;
  }

  protected Future<Link> opening(LinkListener listener) {
    LinkRequest request = new LinkRequest(PARAMS.getBytes(UTF_8), Principal.ANONYMOUS, listener);
    return backend.open(request);
  }

  protected Link open(LinkListener listener) {
    return loop.await(() -> opening(listener));
  }

  protected Link open() {
    return open(linkListener);
  }

  protected BackendFailure refusal() {
    return assertThrows(BackendFailure.class, this::open);
  }

  protected CallRecorder call(Link link, String request) {
    CallRecorder recorder = new CallRecorder();
    call(link, request, recorder);
    return recorder;
  }

  protected Link.Dispatched call(Link link, String request, CallListener listener) {
    return loop.call(() -> link.call(Messages.read(request), Principal.ANONYMOUS, listener));
  }

  protected CallRecorder tool(Link link, String tool) {
    return call(link, Messages.toolCall("\"c\"", tool, "{}"));
  }

  protected CallRecorder tool(Link link, String tool, String text) {
    return call(link, Messages.toolCall("\"c\"", tool, "{\"text\":\"" + text + "\"}"));
  }

  /** Calls a tool and gives the text of its answer. */
  protected String ask(Link link, String tool) {
    return LinkContract.text(tool(link, tool).take());
  }

  protected long pid(Link link) {
    return Long.parseLong(ask(link, "pid"));
  }

  protected void untilChildren(int count) {
    loop.until("children=" + count, () -> backend.children() == count);
  }

  @AfterEach
  void nothingIsLeft() {
    loop.await(backend::close);
    loop.until("children=0", () -> backend.children() == 0);
    List<String> processes =
        ProcessHandle.current().descendants().map(ProcessHandle::toString).toList();
    assertEquals(List.of(), processes, "processes are left");
    long end = System.nanoTime() + OwnerLoop.BOUND.toNanos();
    while (!threads().isEmpty() && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    assertEquals(List.of(), threads(), "threads are left");
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("fairlead-tested-"))
        .toList();
  }

  @AfterAll
  void closeLoop() {
    loop.close();
  }
}
