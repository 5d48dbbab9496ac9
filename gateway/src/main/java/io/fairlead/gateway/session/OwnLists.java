package io.fairlead.gateway.session;

import io.fairlead.gateway.route.Item;
import io.fairlead.gateway.route.ListKind;
import io.fairlead.gateway.route.View;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The lists that one session's own backends told it apart from what all are offered, and the view
 * that follows; it is made anew only when either changes.
 *
 * <p>Thread: owner loop. Owner: {@link PrivateLinks}.
 */
final class OwnLists {
  private final Map<ListKind, Map<String, List<Item>>> lists = new EnumMap<>(ListKind.class);

  /** What {@link #merged} was made from; null before the first time and after a change. */
  private View shared;

  private View merged;

  void put(String backend, ListKind kind, List<Item> items) {
    lists.computeIfAbsent(kind, unused -> new HashMap<>()).put(backend, items);
    shared = null;
  }

  /** The backend's own lists are gone with its link. */
  void forget(String backend) {
    lists.values().forEach(own -> own.remove(backend));
    shared = null;
  }

  /** The view of this session, where everybody's is {@code view}. */
  View over(View view) {
    if (shared != view) {
      shared = view;
      merged = view;
      lists.forEach((kind, own) -> merged = merged.with(kind, Map.copyOf(own)));
    }
    return merged;
  }
}
