package io.fairlead.gateway;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Everything that is logged as an error while it is open: nothing that a client does may be. */
final class LoggedErrors extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

  private LoggedErrors() {}

  static LoggedErrors watch() {
    LoggedErrors watching = new LoggedErrors();
    watching.start();
    watching.root.addAppender(watching);
    return watching;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
      errors.add(event.getLoggerName() + " " + event.getFormattedMessage());
    }
  }

  /** Fails if there was any. */
  @Override
  public void close() {
    root.detachAppender(this);
    if (!errors.isEmpty()) {
      throw new AssertionError("logged as errors: " + errors);
    }
  }
}
