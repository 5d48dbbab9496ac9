package io.fairlead.gateway.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting, capping and sharing of children, and what they may see (lifecycle 38, 108 to 110). */
class StdioBackendIT extends StdioBench {

  @Test
  void eachLinkHasAChildOfItsOwn() {
    start(StdioFixture.scripted("normal"));
    Link first = open();
    Link second = open();
    assertNotEquals(pid(first), pid(second));
    assertEquals(2, loop.call(backend::children));
    loop.await(first::close);
    assertEquals(1, loop.call(backend::children));
    assertEquals("pong", LinkContract.text(tool(second, "echo", "pong").take()));
  }

  @Test
  void openAboveTheCapIsRefusedUntilAChildIsGone() {
    start(StdioFixture.scripted("normal").withMaxChildren(1));
    Link only = open();
    BackendFailure failure = refusal();
    assertEquals("overloaded", failure.reason());
    assertTrue(failure.getMessage().contains("max-children=1"), failure.getMessage());
    assertEquals(1, loop.call(backend::childrenLimit));
    loop.await(only::close);
    open();
  }

  @Test
  void capHoldsWhenManyOpenAtOnce() {
    start(StdioFixture.scripted("normal").withMaxChildren(3));
    List<String> results = new ArrayList<>();
    loop.run(
        () -> {
          for (int i = 0; i < 10; i++) {
            opening(linkListener)
                .onComplete(
                    link -> results.add("open"),
                    failure -> results.add(((BackendFailure) failure).reason()));
          }
        });
    loop.until("all answered", () -> results.size() == 10);
    assertEquals(3, results.stream().filter("open"::equals).count());
    assertEquals(7, results.stream().filter("overloaded"::equals).count());
  }

  @Test
  void commandThatIsNotFoundIsNamedAndTheRestIsNot() {
    start(StdioFixture.of("no-such-command-4711", "--token=secret"));
    BackendFailure failure = refusal();
    assertEquals("backend_unavailable", failure.reason());
    String text = failure.getMessage();
    assertTrue(text.contains("command \"no-such-command-4711\" could not be started"), text);
    assertTrue(text.contains("backends.tested.command"), text);
    assertFalse(text.contains("secret"), text);
  }

  @Test
  void directoryThatDoesNotExistIsNamed() {
    start(StdioFixture.of("sh").withDirectory("/no/such/directory"));
    String text = refusal().getMessage();
    assertTrue(text.contains("\"/no/such/directory\" does not exist"), text);
  }

  @Test
  void childRunsInTheConfiguredDirectory(@TempDir Path directory) throws Exception {
    start(StdioFixture.scripted("normal").withDirectory(directory.toString()));
    assertEquals(directory.toRealPath().toString(), ask(open(), "directory"));
  }

  @Test
  void failedStartIsFollowedByABackOff() {
    start(StdioFixture.of("no-such-command-4711", "--token=secret"));
    String first = refusal().getMessage();
    for (int again = 0; again < 2; again++) {
      String text = refusal().getMessage();
      assertTrue(text.startsWith(first), text);
      assertTrue(text.substring(first.length()).matches("; the next is tried in \\d+ ms"), text);
    }
  }

  @Test
  void startIsTriedAgainAfterTheBackOff() {
    start(StdioFixture.of("no-such-command-4711"));
    refusal();
    long end = System.nanoTime() + OwnerLoop.BOUND.toNanos();
    while (refusal().getMessage().contains("; the next is tried")) {
      assertTrue(System.nanoTime() - end < 0, "still in back-off");
    }
  }

  @Test
  void childThatExitsAtItsStartFailsTheOpenAtOnce() {
    start(StdioFixture.scripted("exit"));
    BackendFailure failure = refusal();
    assertEquals("backend_unavailable", failure.reason());
    assertTrue(failure.getMessage().contains("it exited with code=7"), failure.getMessage());
  }

  @Test
  void childThatNeverAnswersInitializeIsEndedAtTheStartTimeout() {
    for (String mode : List.of("silent", "garbage")) {
      start(
          StdioFixture.scripted(mode).withTimeouts(Duration.ofMillis(300), Duration.ofSeconds(5)));
      BackendFailure failure = refusal();
      assertEquals("backend_unavailable", failure.reason());
      assertTrue(failure.getMessage().contains("start-timeout=300ms"), failure.getMessage());
      untilChildren(0);
    }
  }

  @Test
  void childThatRefusesInitializeFailsTheOpen() {
    start(StdioFixture.scripted("refuse"));
    assertTrue(refusal().getMessage().contains("refused initialize"));
    untilChildren(0);
  }

  @Test
  void listenerIsNotToldWhenTheOpenFailed() {
    start(StdioFixture.scripted("exit"));
    refusal();
    untilChildren(0);
    assertEquals(List.of(), linkListener.takeAll());
  }

  @Test
  void noiseBeforeTheHandshakeIsSkipped() {
    start(StdioFixture.scripted("chatty"));
    assertEquals("pong", LinkContract.text(tool(open(), "echo", "pong").take()));
  }

  @Test
  void childSeesWhatIsConfiguredAndNoSecretOfTheGateway() {
    start(StdioFixture.scripted("normal").withEnv(Map.of("CONFIGURED", "yes $PATH; `id`")));
    Link link = open();
    assertEquals("yes $PATH; `id`", env(link, "CONFIGURED"));
    assertEquals(System.getenv("PATH"), env(link, "PATH"));
    for (String name : System.getenv().keySet()) {
      if (!ChildCommand.environment(System.getenv(), Map.of()).containsKey(name)) {
        assertEquals("null", env(link, name), name);
      }
    }
  }

  private String env(Link link, String name) {
    return LinkContract.text(tool(link, "env", name).take());
  }

  @Test
  void argumentsReachTheChildWithoutAShell(@TempDir Path directory) {
    Path canary = directory.resolve("canary");
    start(StdioFixture.scripted("normal; touch " + canary + " $(touch " + canary + ")"));
    open();
    assertFalse(canary.toFile().exists());
  }

  @Test
  void closeWhileTheChildStartsEndsIt() {
    start(StdioFixture.scripted("normal"));
    List<String> results = new ArrayList<>();
    loop.await(
        () -> {
          opening(linkListener)
              .onComplete(link -> results.add("open"), failure -> results.add("failed"));
          return backend.close();
        });
    assertEquals(List.of("failed"), loop.call(() -> List.copyOf(results)));
    untilChildren(0);
  }

  @Test
  void manySessionsLeaveNothingBehind() {
    start(StdioFixture.of("sh", "-c", StdioFixture.SHELL_SERVER));
    for (int i = 0; i < 30; i++) {
      Link link = open();
      loop.await(link::close);
    }
    untilChildren(0);
  }
}
