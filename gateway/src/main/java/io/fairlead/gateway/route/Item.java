package io.fairlead.gateway.route;

import io.fairlead.wire.Span;

/**
 * One offered thing: the bytes of its JSON object as the backend sent them, and its key.
 *
 * <p>Thread: any; immutable by convention (nobody writes into {@link #json()}).
 */
public final class Item {
  private final byte[] json;
  private final String key;
  private final Span keySpan;

  Item(byte[] json, String key, Span keySpan) {
    this.json = json;
    this.key = key;
    this.keySpan = keySpan;
  }

  /** The JSON object. */
  public byte[] json() {
    return json;
  }

  /** The decoded name, URI or URI template. */
  public String key() {
    return key;
  }

  /** Where the key stands in {@link #json()}, with its quotes. */
  public Span keySpan() {
    return keySpan;
  }
}
