package io.fairlead.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** lifecycle 37: what a collection left decides, and a full heap is looked at again. */
class HeapGuardTest {
  private long used;
  private double part = 0.9;
  private int collections;
  private final HeapGuard guard = new HeapGuard(() -> used, 1000, () -> part, () -> collections++);

  @Test
  void heapIsFullAboveItsPartAndNotForEver() {
    assertFalse(guard.isFull());
    used = 900;
    assertFalse(guard.isFull());
    assertEquals(0, collections);
    used = 901;
    assertTrue(guard.isFull());
    assertTrue(guard.isFull());
    assertEquals(1, collections, "a collection is asked for at once, and not for each");
    used = 100;
    assertFalse(guard.isFull());
    part = 0.05;
    assertTrue(guard.isFull());
    assertEquals(50, guard.limit());
  }
}
