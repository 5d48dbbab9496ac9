package io.fairlead.gateway.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fairlead.gateway.config.ConfigLoader;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** What an operator is told of the way in which callers are known. */
@ExtendWith(VertxExtension.class)
class AuthenticatorsTest {

  @Test
  @DisplayName("lifecycle 95: a gateway that others reach without credentials says so in its log")
  void openGatewayWarns(Vertx vertx) {
    String open = "listen.host = \"0.0.0.0\"\nauth.allow-anonymous = true";
    List<ILoggingEvent> warned = logged(vertx, open);
    assertEquals(1, warned.size());
    assertEquals(Level.WARN, warned.get(0).getLevel());
    String text = warned.get(0).getFormattedMessage();
    assertTrue(text.contains("listen.host=0.0.0.0"), text);
    assertEquals(List.of(), logged(vertx, ""));
    String keys = "auth { mode = api-key, api-keys.a = 0123456789abcdef }";
    assertEquals(List.of(), logged(vertx, "listen.host = \"0.0.0.0\"\n" + keys));
  }

  private static List<ILoggingEvent> logged(Vertx vertx, String hocon) {
    Logger logger = (Logger) LoggerFactory.getLogger(Authenticators.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      assertTrue(Authenticators.open(vertx, ConfigLoader.parse(hocon).orElseThrow()).succeeded());
    } finally {
      logger.detachAppender(lines);
    }
    return lines.list;
  }
}
