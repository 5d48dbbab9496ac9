package io.fairlead.gateway.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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

/** One line per exchange, and nothing in it that must not be there: lifecycle 113 and 114. */
class AccessLogTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.fairlead.access");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final AccessLog log = new AccessLog(new KeyedHash());

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    logger.setLevel(null);
    logger.setAdditive(true);
  }

  @Test
  void lineSaysWhoWhatWhereAndHowItEnded() {
    log.begin("POST", "mcp", "127.0.0.1:4711")
        .principal("api-key", "ci")
        .method("tools/call")
        .tool("search__find")
        .backend("search")
        .session("0123456789abcdef")
        .leg(Exchange.Leg.RESUMED)
        .leg(Exchange.Leg.TAKEN_OVER)
        .end(200);
    assertTrue(
        onlyLine()
            .matches(
                "exchange=1 peer=127\\.0\\.0\\.1:4711 issuer=api-key subject=ci verb=POST path=mcp"
                    + " method=tools/call tool=search__find backend=search session=[a-z2-7]{10}"
                    + " status=200 ms=\\d+ stream=resumed,taken_over"),
        onlyLine());
  }

  @Test
  void refusedExchangeSaysWhyAndLeavesOutWhatIsUnknown() {
    log.begin("GET", "mcp", "10.0.0.1:1").refused("host_forbidden").end(403);
    assertTrue(
        onlyLine()
            .matches(
                "exchange=1 peer=10\\.0\\.0\\.1:1 verb=GET path=mcp status=403 ms=\\d+"
                    + " reason=host_forbidden"),
        onlyLine());
  }

  @Test
  void exchangeIsWrittenOnce() {
    Exchange exchange = log.begin("GET", "mcp", "p");
    exchange.end(200);
    exchange.end(500);
    assertTrue(onlyLine().contains("status=200"));
  }

  @Test
  void sessionIsTheSameHashInOneRunAndAnotherInTheNext() {
    log.begin("GET", "mcp", "p").session("canary-id").end(200);
    log.begin("GET", "mcp", "p").session("canary-id").end(200);
    new AccessLog(new KeyedHash()).begin("GET", "mcp", "p").session("canary-id").end(200);
    List<String> hashes =
        lines.list.stream()
            .map(event -> event.getFormattedMessage().replaceAll(".*session=(\\S+).*", "$1"))
            .toList();
    assertEquals(hashes.get(0), hashes.get(1));
    assertNotEquals(hashes.get(0), hashes.get(2));
    assertFalse(lines.list.toString().contains("canary-id"));
  }

  @Test
  void valuesFromOutsideCanNeitherEndTheLineNorAddAPair() {
    log.begin("GET\r\nexchange=2", "mcp", "p")
        .method("a b status=200")
        .tool("x\u001b[31m\u2028\u0000\"\\" + "y".repeat(100))
        .principal("https://issuer.example", "mallory\nroot")
        .end(400);
    String line = onlyLine();
    assertTrue(line.contains(" verb=\"GET\\u000d\\u000aexchange=2\" "), line);
    assertTrue(line.contains(" method=\"a b status=200\" "), line);
    assertTrue(line.contains(" tool=\"x\\u001b[31m\\u2028\\u0000\\\"\\\\yyy"), line);
    assertTrue(line.contains("yyy...\" "), line);
    assertTrue(line.contains(" subject=\"mallory\\u000aroot\" "), line);
    assertTrue(line.chars().allMatch(c -> c >= ' ' && c < 0x7f), line);
    assertTrue(line.length() < 500, line);
  }

  @Test
  void nothingIsWrittenWhenInfoIsOff() {
    logger.setLevel(Level.WARN);
    log.begin("GET", "mcp", "p").end(200);
    assertTrue(lines.list.isEmpty());
  }

  private String onlyLine() {
    assertEquals(1, lines.list.size(), lines.list::toString);
    assertEquals(Level.INFO, lines.list.get(0).getLevel());
    return lines.list.get(0).getFormattedMessage();
  }
}
