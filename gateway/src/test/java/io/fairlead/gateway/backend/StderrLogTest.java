package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** lifecycle 112, 114: what of a child's standard error reaches the log. */
class StderrLogTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(StderrLog.class);
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
  private final Level before = logger.getLevel();

  @BeforeEach
  void attach() {
    logger.setLevel(Level.DEBUG);
    logger.setAdditive(false);
    appender.start();
    logger.addAppender(appender);
  }

  @AfterEach
  void detach() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
    logger.setLevel(before);
  }

  private List<String> logged(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    new StderrLog("backend=b").feed(bytes, bytes.length);
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void controlCharactersAreEscaped() {
    assertEquals(
        List.of("backend=b stderr: \\u001b[31mred\\u0007 \u00fc \\u2028x\\u009b"),
        logged("\u001b[31mred\u0007 \u00fc \u2028x\u009b\n"));
  }

  @Test
  void longLineIsCut() {
    List<String> lines = logged("x".repeat(100_000) + "\nnext\n");
    assertEquals(2, lines.size());
    assertTrue(lines.get(0).endsWith("x... (cut, limit=4096 bytes)"));
    assertTrue(lines.get(0).length() < 4200);
  }

  @Test
  void floodIsBounded() {
    List<String> lines = logged("line\n".repeat(10_000));
    // 10,000 lines take far less than the ten seconds that would admit a thousand
    assertTrue(lines.size() < 1000, "lines=" + lines.size());
  }

  @Test
  void nothingIsWrittenAboveDebug() {
    logger.setLevel(Level.INFO);
    assertEquals(List.of(), logged("line\n"));
  }
}
