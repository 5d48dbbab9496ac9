package io.fairlead.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Requests in flight fit together within their budget. */
class HeldBytesTest {
  private final HeldBytes bytes = new HeldBytes(100);

  @Test
  void requestFitsUpToTheLimitExactly() {
    bytes.hold(60);
    assertTrue(bytes.admits(40));
    assertFalse(bytes.admits(41));
  }

  @Test
  void requestAboveTheLimitFitsWhenItIsAlone() {
    assertTrue(bytes.admits(1000));
    HeldBytes.Hold large = bytes.hold(1000);
    assertFalse(bytes.admits(1));
    large.release();
    assertTrue(bytes.admits(1000));
  }

  @Test
  void releasedBytesAreGivenBackOnce() {
    HeldBytes.Hold first = bytes.hold(60);
    bytes.hold(40);
    first.release();
    first.release();
    assertEquals(40, bytes.held());
  }
}
