package io.fairlead.gateway.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.config.BackendConfig;
import io.vertx.core.Context;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The link of an {@link HttpBackend} does what every link does, and what only HTTP asks for. */
class HttpLinkIT extends LinkContract {
  private static final String SECRET = "Bearer s3cr3t-canary";

  private HttpFixture server;

  @BeforeEach
  @Override
  void openLink() {
    server = new HttpFixture();
    super.openLink();
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  @Override
  protected Backend backend(Context owner) {
    BackendConfig.Http config =
        new BackendConfig.Http(
            server.url(),
            Map.of("Authorization", SECRET),
            Duration.ofSeconds(2),
            1 << 20,
            Optional.of("X-Asker"),
            Optional.empty(),
            Optional.empty());
    return new HttpBackend("tested", config, owner.owner());
  }

  @Override
  protected void untilHeld() {
    loop.until("the server holds the call", () -> server.notes().contains("holds"));
  }

  private CallRecorder call(String request, Principal asker) {
    CallRecorder recorder = new CallRecorder();
    loop.run(() -> link.call(Messages.read(request), asker, recorder));
    return recorder;
  }

  private String lastNote(String start) {
    return server.notes().stream().filter(note -> note.startsWith(start)).reduce((a, b) -> b).get();
  }

  /** Each request names its own asker; a slash or a line break cannot forge another one. */
  @Test
  void askerOfEachRequestIsNamed() {
    String echo = Messages.toolCall("1", "echo", "{\"text\":\"a\"}");
    call(echo, new Principal("https://issuer/x", "j\u00f6 d", "c")).take();
    assertEquals(
        "tools/call x-asker=https%3A%2F%2Fissuer%2Fx/j%C3%B6%20d", lastNote("tools/call x-asker"));
    call(echo, Principal.ANONYMOUS).take();
    assertEquals("tools/call x-asker=anonymous", lastNote("tools/call x-asker"));
    assertEquals("tools/call authorization=" + SECRET, lastNote("tools/call authorization"));
  }

  /** lifecycle 103: a refusal of the gateway's credentials is the gateway's trouble. */
  @ParameterizedTest
  @ValueSource(strings = {"401", "403", "500", "302", "418"})
  void refusalNeverShowsTheBackendsInside(String status) {
    CallRecorder recorder =
        call(Messages.toolCall("7", "refuse", "{\"status\":\"" + status + "\"}"));
    String told = recorder.take();
    assertFalse(told.contains("inside"), told);
    assertFalse(told.contains("127.0.0.1"), told);
    assertFalse(told.contains("canary"), told);
    if (status.startsWith("4")) {
      JsonObject error = told("answer", told).getJsonObject("error");
      assertEquals(-32603, error.getInteger("code"));
      assertEquals("backend_unavailable", error.getJsonObject("data").getString("reason"));
    } else {
      assertTrue(told.startsWith("lost UNKNOWN "), told);
    }
  }

  private long asked(String method) {
    return server.notes().stream().filter(note -> note.startsWith(method + " x-asker")).count();
  }

  /** A restarted backend costs no call, and its lists are read again (streams 24). */
  @Test
  void restartOfTheBackendCostsNoCall() {
    loop.until("the link listens", () -> asked("GET") > 0);
    call(Messages.toolCall("0", "echo", "{\"text\":\"before\"}")).take();
    server.stop();
    server.start();
    loop.until("the link has noticed", () -> asked("initialize") > 1);
    assertEquals("a", text(call(Messages.toolCall("1", "echo", "{\"text\":\"a\"}")).take()));
    assertEquals(
        "notifications/tools/list_changed",
        told("message", linkListener.take()).getString("method"));
    assertEquals(List.of(), linkListener.takeAll());
  }

  /** A question of a session that is gone is not answered in the next one. */
  @Test
  void answerToTheOldSessionDoesNotReachTheNewOne() {
    CallRecorder first = call(Messages.toolCall("1", "ask", "{}"));
    JsonObject asked = told("message", first.take());
    server.stop();
    assertEquals("lost UNKNOWN backend_lost", first.take());
    server.start();
    CallRecorder second = call(Messages.toolCall("2", "echo", "{\"text\":\"a\"}"));
    second.take();
    int before = server.notes().size();
    answer(asked, "result", new JsonObject());
    call(Messages.toolCall("3", "echo", "{\"text\":\"a\"}")).take();
    assertEquals(before + 2, server.notes().size());
  }

  @Test
  void unreachableBackendOpensNoLink() {
    server.stop();
    LinkRequest request = new LinkRequest("{}".getBytes(), Principal.ANONYMOUS, linkListener);
    BackendFailure failure =
        assertThrows(BackendFailure.class, () -> loop.await(() -> backend.open(request)));
    assertEquals("backend_unavailable", failure.reason());
    assertFalse(failure.getMessage().contains("127.0.0.1"), failure.getMessage());
  }

  @Test
  void closedLinkIsNotCounted() {
    HttpBackend http = (HttpBackend) backend;
    assertEquals(1, loop.call(http::links));
    loop.await(link::close);
    assertEquals(0, loop.call(http::links));
    assertEquals("DELETE authorization=" + SECRET, lastNote("DELETE"));
  }
}
