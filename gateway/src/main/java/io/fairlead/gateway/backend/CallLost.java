package io.fairlead.gateway.backend;

import io.fairlead.client.Outcome;

/** A tool's call that has no answer, and what is known of it: expected, so without a stack. */
final class CallLost extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Outcome outcome;

  CallLost(Outcome outcome) {
    super(outcome.text(), null, false, false);
    this.outcome = outcome;
  }

  Outcome outcome() {
    return outcome;
  }
}
