package io.fairlead.wire;

import java.util.List;

/**
 * Reads a JSON-RPC message in one streaming pass over its bytes: strict JSON (RFC 8259) and strict
 * UTF-8, no duplicate keys at any depth, no byte order mark, bounded depth, counts and numbers.
 *
 * <p>Thread: one at a time; it holds scratch space.
 */
public final class EnvelopeReader {

  public EnvelopeReader(WireLimits limits) {}

  /**
   * Reads one message; the array is kept, not copied.
   *
   * @throws MalformedMessage with -32700 if it is not JSON, -32600 if it is not one JSON-RPC
   *     message
   */
  public Envelope read(byte[] message) throws MalformedMessage {
    throw new UnsupportedOperationException("stub");
  }

  /** Whether the first byte that is not white space opens an array. */
  public static boolean isBatch(byte[] message) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Reads a batch (revision 2025-03-26 only): each element as a message of its own bytes.
   *
   * @throws MalformedMessage also for an empty batch, one above {@code max}, or any malformed
   *     element
   */
  public List<Envelope> readBatch(byte[] message, int max) throws MalformedMessage {
    throw new UnsupportedOperationException("stub");
  }
}
