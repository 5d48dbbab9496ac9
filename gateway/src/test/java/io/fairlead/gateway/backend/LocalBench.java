package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.auth.Principal;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/**
 * Opens a link to a {@link LocalBackend} for tests and calls it.
 *
 * <p>Thread: the test's.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LocalBench {
  protected final OwnerLoop loop = new OwnerLoop();
  protected final LinkRecorder linkListener = new LinkRecorder();

  protected Link open(Backend backend) {
    return open(backend, new JsonObject("{\"elicitation\":{},\"sampling\":{},\"roots\":{}}"));
  }

  protected Link open(Backend backend, JsonObject capabilities) {
    linkListener.takeAll();
    JsonObject params =
        new JsonObject().put("protocolVersion", "2025-11-25").put("capabilities", capabilities);
    return loop.await(
        () ->
            backend.open(
                new LinkRequest(
                    params.encode().getBytes(UTF_8), Principal.ANONYMOUS, linkListener)));
  }

  protected Link.Dispatched call(Link link, String request, CallListener listener) {
    return loop.call(() -> link.call(Messages.read(request), Principal.ANONYMOUS, listener));
  }

  protected CallRecorder call(Link link, String method, JsonObject params) {
    CallRecorder recorder = new CallRecorder();
    call(link, Messages.request("1", method, params.encode()), recorder);
    return recorder;
  }

  protected CallRecorder tool(Link link, String tool, JsonObject arguments) {
    return call(link, "tools/call", new JsonObject().put("name", tool).put("arguments", arguments));
  }

  protected JsonObject result(CallRecorder recorder) {
    return LinkContract.told("answer", recorder.take()).getJsonObject("result");
  }

  protected JsonObject error(CallRecorder recorder) {
    return LinkContract.told("answer", recorder.take()).getJsonObject("error");
  }

  protected int code(CallRecorder recorder) {
    return error(recorder).getInteger("code");
  }

  protected static JsonObject initialized(Link link) {
    return new JsonObject(new String(link.initializeResult(), UTF_8));
  }

  @AfterAll
  void closeLoop() {
    loop.close();
  }
}
