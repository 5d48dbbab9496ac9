package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fat jar's logging: one line an event, whatever it holds (lifecycle 114). */
class LogLineTest {
  private final LoggerContext context = new LoggerContext();
  private ConsoleAppender<ILoggingEvent> appender;

  @BeforeEach
  void configure() throws Exception {
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure("src/main/fatjar/logback.xml");
    appender =
        (ConsoleAppender<ILoggingEvent>)
            context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("stderr");
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void lineHasTimeInUtcAndLevelAndLogger() {
    assertEquals(
        "2026-11-29T12:00:00.000Z WARN  Name backend=a is down\n", line("backend=a is down", null));
  }

  @Test
  void lineEndsAndControlCharactersAreEscaped() {
    assertEquals(
        "2026-11-29T12:00:00.000Z WARN  Name a\\nb\\nc\\nd?[31m?e\n",
        line("a\nb\r\nc\rd\u001b[31m\u0000e", null));
    assertTrue(line("a\u0085b\u2028c", null).contains("a\\nb\\nc"));
  }

  @Test
  void stackTraceStaysOnTheLine() {
    String line = line("failed", new IllegalStateException("first\nsecond"));
    assertEquals(1, line.lines().count(), line);
    assertTrue(line.contains("failed java.lang.IllegalStateException: first\\nsecond\\nat "), line);
  }

  @Test
  void librariesAreSilentBelowWarn() {
    assertEquals(Level.INFO, context.getLogger("io.fairlead.gateway").getEffectiveLevel());
    assertEquals(Level.WARN, context.getLogger("io.netty.channel").getEffectiveLevel());
    assertEquals(Level.WARN, context.getLogger("io.vertx.core").getEffectiveLevel());
    assertEquals("System.err", appender.getTarget());
  }

  private String line(String message, Throwable cause) {
    LoggingEvent event =
        new LoggingEvent(
            "", context.getLogger("io.fairlead.Name"), Level.WARN, message, cause, new Object[0]);
    event.setInstant(Instant.parse("2026-11-29T12:00:00Z"));
    return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
  }
}
