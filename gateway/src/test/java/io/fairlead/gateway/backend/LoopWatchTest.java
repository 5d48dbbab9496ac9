package io.fairlead.gateway.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fairlead.gateway.observe.PrometheusMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Code of an application that keeps the event loop is counted and named. */
class LoopWatchTest {
  private long now = Long.MAX_VALUE - 1000;
  private final PrometheusMetrics metrics = new PrometheusMetrics(Set.of("app"));
  private final LoopWatch watch = new LoopWatch("app", metrics, () -> now);
  private final Logger log = (Logger) LoggerFactory.getLogger(LocalBackend.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    log.addAppender(lines);
  }

  @AfterEach
  void stop() {
    log.detachAppender(lines);
  }

  private void block(String what, Duration time) {
    watch.run(what, () -> now += time.toNanos());
  }

  private List<String> said() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private boolean counted(int times) {
    return metrics.scrape().contains("fairlead_loop_blocked_total " + times + ".0");
  }

  @Test
  void nothingIsSaidOfAShortTurn() {
    block("tool=quick", LoopWatch.LONG);
    assertEquals(List.of(), said());
    assertTrue(!metrics.scrape().contains("loop_blocked"));
  }

  @Test
  void longTurnIsNamedWithItsTime() {
    block("tool=slow", Duration.ofMillis(1204));
    assertEquals(1, said().size());
    assertTrue(said().get(0).contains("backend=app tool=slow"), said()::toString);
    assertTrue(said().get(0).contains("ms=1204"), said()::toString);
    assertTrue(said().get(0).contains("executeBlocking"), said()::toString);
    assertTrue(counted(1));
  }

  @Test
  void manyAreCountedAndSaidOnceInAWhile() {
    for (int i = 0; i < 6; i++) {
      block("tool=slow", Duration.ofMillis(101));
    }
    assertEquals(1, said().size());
    now += LoopWatch.SILENCE.toNanos();
    block("tool=other", Duration.ofMillis(150));
    assertEquals(2, said().size());
    assertTrue(said().get(1).contains("since the last line: 5"), said()::toString);
    assertTrue(counted(7));
  }

  @Test
  void codeThatThrowsIsSeenToo() {
    assertThrows(
        IllegalStateException.class,
        () ->
            watch.run(
                "tool=bad",
                () -> {
                  now += Duration.ofSeconds(1).toNanos();
                  throw new IllegalStateException("x");
                }));
    assertEquals(1, said().size());
  }
}
