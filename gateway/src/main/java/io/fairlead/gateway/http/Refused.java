package io.fairlead.gateway.http;

/** Carries a {@link Refusal} through a failed future; an expected event, so without a stack. */
public final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  public Refused(Refusal refusal) {
    super(refusal.reason(), null, false, false);
    this.refusal = refusal;
  }

  public Refusal refusal() {
    return refusal;
  }
}
