package io.fairlead.gateway.route;

import io.fairlead.wire.Json;
import io.fairlead.wire.Span;
import java.util.Arrays;
import java.util.Optional;

/**
 * One offered thing: the bytes of its JSON object as the backend sent them, and its key.
 *
 * <p>Thread: any; immutable by convention (nobody writes into {@link #json()}).
 */
public final class Item {
  private final byte[] json;
  private final String key;
  private final Span keySpan;

  private Item(byte[] json, String key, Span keySpan) {
    this.json = json;
    this.key = key;
    this.keySpan = keySpan;
  }

  /**
   * The item at {@code element} of a message that was read before; empty if it has no key that is a
   * string, because then nobody could name it.
   */
  static Optional<Item> of(ListKind kind, byte[] message, Span element) {
    byte[] json = Json.copy(message, element);
    return Json.member(json, new Span(0, json.length), kind.key())
        .flatMap(span -> Json.string(json, span).map(key -> new Item(json, key, span)));
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

  /** Two items are the same if their bytes are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Item item && Arrays.equals(json, item.json);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(json);
  }

  @Override
  public String toString() {
    return key;
  }
}
