package io.fairlead.gateway.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.wire.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Children that misbehave in the middle of a conversation (lifecycle 105, 110, 112; streams 24).
 */
class StdioFaultIT extends StdioBench {

  private Link scripted() {
    start(StdioFixture.scripted("normal"));
    return open();
  }

  @Test
  void callsAreToldThatTheirOutcomeIsUnknownWhenTheChildDies() {
    Link link = scripted();
    CallRecorder held = tool(link, "hold");
    long start = System.nanoTime();
    assertEquals("lost UNKNOWN backend_lost", tool(link, "crash").take());
    assertEquals("lost UNKNOWN backend_lost", held.take());
    assertTrue(System.nanoTime() - start < Duration.ofSeconds(2).toNanos());
    assertEquals("closed it exited with code=3", linkListener.take());
    assertEquals("lost NOT_DISPATCHED backend_lost", tool(link, "echo", "x").take());
    assertEquals(List.of(), linkListener.takeAll());
  }

  @Test
  void answerThatWasWrittenBeforeTheChildDiedIsDelivered() {
    Link link = scripted();
    CallRecorder recorder = new CallRecorder();
    // paused, so that the answer is still in the pipe when the child is gone
    String request = Messages.toolCall("1", "answer-and-crash", "{}");
    loop.run(() -> link.call(Messages.read(request), Principal.ANONYMOUS, recorder).pause());
    for (int i = 0; i < 3300; i++) {
      assertTrue(recorder.take().startsWith("message "));
    }
    assertEquals("last words", LinkContract.text(recorder.take()));
    assertEquals("closed it exited with code=0", linkListener.take());
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void otherChildrenLiveOnWhenOneDies() {
    Link link = scripted();
    Link other = open(new LinkRecorder());
    tool(link, "crash").take();
    assertEquals("alive", LinkContract.text(tool(other, "echo", "alive").take()));
  }

  @Test
  void linesThatAreNoMessagesFailNothing() {
    assertEquals("after garbage", ask(scripted(), "garbage"));
  }

  @Test
  void unreadableAnswerFailsItsOwnCallAlone() {
    Link link = scripted();
    CallRecorder held = tool(link, "hold");
    assertEquals("lost UNKNOWN malformed", tool(link, "bad-utf8").take());
    assertEquals("lost UNKNOWN malformed", tool(link, "bad-utf8-id-last").take());
    assertEquals("pong", LinkContract.text(tool(link, "echo", "pong").take()));
    assertEquals(List.of(), held.takeAll());
  }

  @Test
  void answerAboveMaxMessageFailsItsOwnCallAlone() {
    Link link = scripted();
    CallRecorder held = tool(link, "hold");
    assertEquals("lost UNKNOWN too_large", tool(link, "huge").take());
    assertEquals("lost UNKNOWN too_large", tool(link, "huge-id-last").take());
    assertEquals("pong", LinkContract.text(tool(link, "echo", "pong").take()));
    assertEquals(List.of(), held.takeAll());
  }

  @Test
  void secondAnswerIsIgnored() {
    Link link = scripted();
    CallRecorder recorder = tool(link, "twice");
    assertEquals("first", LinkContract.text(recorder.take()));
    assertEquals("2", ask(link, "executions"));
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void answersWithForeignIdsAreIgnored() {
    assertEquals("own", ask(scripted(), "foreign"));
  }

  @Test
  void floodOnStandardErrorBlocksNothing() {
    assertEquals("survived", ask(scripted(), "stderr-flood"));
  }

  @Test
  void tenThousandLinesArriveInOrder() {
    Link link = scripted();
    CallRecorder recorder = call(link, Messages.toolCall("1", "flood", "{\"n\":\"10000\"}"));
    for (int i = 0; i < 10_000; i++) {
      String told = recorder.take();
      assertTrue(told.endsWith("\"data\":" + i + "}}"), told);
    }
    assertEquals("flooded", LinkContract.text(recorder.take()));
  }

  /** Counts messages on the loop. */
  private static final class Counter extends CallRecorder {
    private int messages;

    @Override
    public void message(Envelope message) {
      messages++;
    }
  }

  @Test
  void pausedCallStopsItsChildUntilItIsResumed() {
    Link link = scripted();
    int lines = 100_000;
    Counter counter = new Counter();
    List<Link.Dispatched> call = new ArrayList<>();
    loop.run(
        () -> {
          String request = Messages.toolCall("1", "flood", "{\"n\":\"" + lines + "\"}");
          call.add(link.call(Messages.read(request), Principal.ANONYMOUS, counter));
          call.get(0).pause();
        });
    loop.until("the first lines arrive", () -> counter.messages > 0);
    int[] last = {0};
    // still for a second means stopped: without the pause all lines need less
    long still = System.nanoTime();
    while (System.nanoTime() - still < Duration.ofSeconds(1).toNanos()) {
      int now = loop.call(() -> counter.messages);
      if (now != last[0]) {
        last[0] = now;
        still = System.nanoTime();
      }
    }
    int bound = 2 * ChildProcess.MAX_INBOX / 80;
    assertTrue(last[0] < bound, "messages=" + last[0] + " bound=" + bound);
    loop.run(() -> call.get(0).resume());
    assertEquals("flooded", LinkContract.text(counter.take()));
    assertEquals(lines, loop.call(() -> counter.messages));
  }

  @Test
  void cancelOfAPausedCallLetsTheChildGoOn() {
    Link link = scripted();
    CallRecorder recorder = new CallRecorder();
    String flood = Messages.toolCall("1", "flood", "{\"n\":\"50000\"}");
    loop.run(
        () -> {
          Link.Dispatched call = link.call(Messages.read(flood), Principal.ANONYMOUS, recorder);
          call.pause();
          call.cancel("enough");
        });
    // what the flood still says without a token goes to the call that is in flight
    CallRecorder next = tool(link, "echo", "pong");
    String told = next.take();
    while (told.startsWith("message ")) {
      told = next.take();
    }
    assertEquals("pong", LinkContract.text(told));
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void deathOfTheChildIsToldToAPausedCall() {
    Link link = scripted();
    CallRecorder recorder = new CallRecorder();
    Link.Dispatched call = call(link, Messages.toolCall("1", "hold", "{}"), recorder);
    loop.run(call::pause);
    tool(link, "crash");
    assertEquals("lost UNKNOWN backend_lost", recorder.take());
  }

  @Test
  void callsToAChildThatDoesNotReadAreRefusedWithoutBlocking() {
    start(
        StdioFixture.scripted("normal")
            .withTimeouts(Duration.ofSeconds(20), Duration.ofMillis(100)));
    Link link = open();
    ask(link, "deaf");
    String request = Messages.toolCall("1", "echo", "{\"text\":\"" + "x".repeat(1 << 20) + "\"}");
    List<CallRecorder> recorders = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      recorders.add(call(link, request));
    }
    assertEquals("lost NOT_DISPATCHED overloaded", recorders.get(9).take());
    assertEquals(List.of(), recorders.get(0).takeAll());
    loop.await(link::close);
  }
}
