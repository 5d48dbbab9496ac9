package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.observe.PrometheusMetrics;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Whose is what a child says without naming a call, where it serves several: streams 25 (to the
 * call it belongs to) within lifecycle 86 (what is a principal's is no other's).
 */
class StdioAttributionIT extends StdioBench {
  private static final Principal ALICE = new Principal("api-key", "alice", "");
  private static final Principal BOB = new Principal("api-key", "bob", "");
  private static final String REFUSED = "refused unattributed";

  private final LinkRecorder otherListener = new LinkRecorder();
  private PrometheusMetrics metrics;
  private Link link;
  private Link other;

  /** Two links to one child. */
  private void startShared() {
    start(StdioFixture.scripted("normal").withShared(), false);
    observe();
    link = open(linkListener);
    other = open(otherListener);
  }

  /** One link that many use, to a child of its own. */
  private void startStateless() {
    start(StdioFixture.scripted("normal"), true);
    observe();
    link = open(linkListener);
    other = link;
  }

  private void observe() {
    otherListener.takeAll();
    metrics = new PrometheusMetrics(Set.of());
    loop.run(() -> backend.observe(metrics));
  }

  private CallRecorder call(Link on, Principal asker, String tool) {
    CallRecorder recorder = new CallRecorder();
    String request = Messages.toolCall("1", tool, "{\"text\":\"a\"}");
    loop.run(() -> on.call(Messages.read(request), asker, recorder));
    return recorder;
  }

  private void untilWithheld(int count) {
    String line = "fairlead_unattributed_total " + count + ".0";
    loop.until(line, () -> metrics.scrape().contains(line));
  }

  /** The call of {@code asker} says and asks something while {@code second} has one in flight. */
  private void nobodyIsTold(Principal asker, Principal second) {
    CallRecorder asks = call(link, asker, "ask-at-hold");
    CallRecorder holds = call(other, second, "hold");
    assertEquals(REFUSED, LinkContract.text(asks.take()));
    assertEquals(List.of(), holds.takeAll());
    assertEquals(List.of(), linkListener.takeAll());
    assertEquals(List.of(), otherListener.takeAll());
    untilWithheld(2);
  }

  private static void isTold(CallRecorder recorder) {
    String told = recorder.take();
    assertTrue(told.contains("elicitation/create"), told);
  }

  @Test
  @DisplayName(
      "streams 25, lifecycle 86: on a shared child no principal gets what may be another's")
  void questionAndLogGoToNobodyWhenTwoPrincipalsCall() {
    startShared();
    nobodyIsTold(ALICE, BOB);
  }

  @Test
  @DisplayName("streams 25: with two calls of one principal in flight the child's is refused")
  void questionAndLogGoToNobodyWhenOnePrincipalHasTwoCalls() {
    startShared();
    nobodyIsTold(ALICE, ALICE);
  }

  @Test
  @DisplayName("streams 25, lifecycle 86: a link of the stateless mode is one of several clients")
  void questionAndLogGoToNobodyWhenTwoPrincipalsShareALink() {
    startStateless();
    nobodyIsTold(ALICE, BOB);
  }

  @Test
  @DisplayName("lifecycle 86: what comes late of one principal's call is not another's")
  void questionGoesToNobodyWhenAnotherPrincipalHasCalledBefore() {
    startShared();
    assertEquals("a", LinkContract.text(call(other, BOB, "echo").take()));
    assertEquals(REFUSED, LinkContract.text(call(link, ALICE, "ask").take()));
  }

  @Test
  @DisplayName("streams 25: a principal's only call is asked, and told the log")
  void questionAndLogGoToTheOnlyCallOfTheOnlyPrincipal() {
    startShared();
    assertEquals("a", LinkContract.text(call(other, ALICE, "echo").take()));
    CallRecorder logs = call(other, ALICE, "log");
    assertTrue(logs.take().contains("notifications/message"));
    assertEquals("logged", LinkContract.text(logs.take()));
    CallRecorder asks = call(link, ALICE, "ask");
    JsonObject asked = LinkContract.told("message", asks.take());
    JsonObject answer =
        new JsonObject()
            .put("jsonrpc", "2.0")
            .put("id", asked.getValue("id"))
            .put("result", new JsonObject().put("content", new JsonObject().put("answer", "yes")));
    loop.run(() -> link.answer(answer.encode().getBytes(UTF_8)));
    assertEquals("yes", LinkContract.text(asks.take()));
  }

  @Test
  void listThatTheGatewayReadsIsNobodysCall() {
    startShared();
    assertTrue(call(other, Messages.request("1", "tools/list")).take().startsWith("answer "));
    isTold(call(link, ALICE, "ask"));
  }

  @Test
  void childOfOneSessionAsksTheCallThatCameLast() {
    start(StdioFixture.scripted("normal"), false);
    Link own = open(linkListener);
    CallRecorder older = call(own, ALICE, "hold");
    isTold(call(own, ALICE, "ask"));
    assertEquals(List.of(), older.takeAll());
  }

  @Test
  void pingOutsideOfCallsIsAnsweredAndALogGoesToNobody() {
    startShared();
    assertEquals("wait for it", LinkContract.text(call(link, ALICE, "later").take()));
    untilWithheld(1);
    assertEquals("1", LinkContract.text(call(link, ALICE, "pongs").take()));
    assertEquals(List.of(), linkListener.takeAll());
    assertEquals(List.of(), otherListener.takeAll());
  }
}
