package io.fairlead.gateway.backend;

import io.fairlead.client.Outcome;
import io.fairlead.wire.RpcId;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines of a child that are too long or no messages, and so are not handed on. A call whose
 * answer was one of them ends, if that can be told, with an unknown outcome.
 *
 * <p>Thread: owner loop. Owner: {@link StdioChild}.
 */
final class SkippedLines {
  private static final Logger LOG = LoggerFactory.getLogger(SkippedLines.class);

  private final String name;
  private final int maxMessage;
  private final Correlation correlation;
  private boolean endsAnswer;
  private long count;

  SkippedLines(String name, int maxMessage, Correlation correlation) {
    this.name = name;
    this.maxMessage = maxMessage;
    this.correlation = correlation;
  }

  void malformed(byte[] line) {
    skip(AnswerId.atStart(line).or(() -> AnswerId.atEnd(line)), "malformed");
  }

  /** A line is above {@code max-message}; this is its beginning. */
  void oversize(byte[] head) {
    endsAnswer = AnswerId.isAnswer(head);
    skip(AnswerId.atStart(head), "too_large");
  }

  /** The end of the line whose beginning came before: many servers write an answer's id last. */
  void oversizeEnd(byte[] tail) {
    if (endsAnswer) {
      lose(AnswerId.atEnd(tail), "too_large");
    }
  }

  /** Logs the first, 2nd, 4th, 8th ... */
  private void skip(Optional<RpcId> id, String reason) {
    count++;
    if (Long.bitCount(count) == 1) {
      LOG.warn(
          "backend={} wrote a line that was skipped; reason={} max-message={} count={}",
          name,
          reason,
          maxMessage,
          count);
    }
    lose(id, reason);
  }

  private void lose(Optional<RpcId> id, String reason) {
    String text =
        "The tool answered, but its answer could not be handed on (reason="
            + reason
            + "). The action may have happened. Check before trying again.";
    id.flatMap(correlation::find)
        .ifPresent(call -> call.lost(new Outcome(Outcome.State.UNKNOWN, reason, text)));
  }
}
