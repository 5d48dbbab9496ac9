package io.fairlead.gateway.route;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one backend offers, as last known.
 *
 * @param prefix what its names begin with beside other backends
 * @param handshake empty: it was never reached
 * @param lists by kind; absent: not offered, or not read yet
 */
record Offer(
    String backend, String prefix, Optional<Handshake> handshake, Map<ListKind, List<Item>> lists) {

  Offer {
    lists = Map.copyOf(lists);
  }

  List<Item> list(ListKind kind) {
    return lists.getOrDefault(kind, List.of());
  }
}
