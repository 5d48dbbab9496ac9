package io.fairlead.gateway.route;

import io.fairlead.wire.EnvelopeEdit;
import io.fairlead.wire.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One list of one view: its items with the names that clients see.
 *
 * <p>Thread: owner loop. Owner: its view.
 */
final class Section {
  private final ListKind kind;
  private final SortedMap<String, List<Item>> items;
  private final Map<Target, String> names;
  private final Map<String, Target> targets = new HashMap<>();
  private final List<Owned> templates = new ArrayList<>();
  private Optional<byte[]> json = Optional.empty();

  /**
   * @param items by backend
   * @param naming empty: names are left as they are
   */
  Section(ListKind kind, Map<String, List<Item>> items, Optional<Naming> naming) {
    this.kind = kind;
    this.items = new TreeMap<>(items);
    List<Target> all = new ArrayList<>();
    this.items.forEach(
        (backend, list) -> list.forEach(item -> all.add(new Target(backend, item.key()))));
    this.names = naming.map(found -> names(found, all)).orElseGet(Map::of);
    names.forEach((target, name) -> targets.put(name, target));
    if (kind == ListKind.TEMPLATES) {
      names.forEach(this::addTemplate);
    }
  }

  /** What a client-side name that is in the list stands for. */
  Optional<Target> target(String clientName) {
    return Optional.ofNullable(targets.get(clientName));
  }

  /** The client-side name of something that is in the list. */
  Optional<String> name(Target target) {
    return Optional.ofNullable(names.get(target));
  }

  /**
   * Whose template {@code clientUri} may come of: of several, the template with the most literal
   * characters, and of these the first backend's.
   */
  Optional<Target> match(String clientUri) {
    Optional<Owned> best = Optional.empty();
    for (Owned owned : templates) {
      if (best.map(found -> found.template.literals() < owned.template.literals()).orElse(true)
          && owned.template.matches(clientUri)) {
        best = Optional.of(owned);
      }
    }
    return best.map(owned -> owned.target(clientUri));
  }

  /** The result object of the list. */
  byte[] json() {
    if (json.isEmpty()) {
      json = Optional.of(write());
    }
    return json.get();
  }

  private Map<Target, String> names(Naming naming, List<Target> all) {
    return switch (kind) {
      case TOOLS, PROMPTS -> naming.names(all);
      case RESOURCES, TEMPLATES -> naming.uris(all);
    };
  }

  private void addTemplate(Target target, String name) {
    UriTemplate.parse(name)
        .ifPresent(
            template -> {
              int added = name.length() - target.name().length();
              templates.add(new Owned(template, target, added));
            });
  }

  private byte[] write() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ascii("{\"" + kind.member() + "\":["));
    String separator = "";
    for (Map.Entry<String, List<Item>> list : items.entrySet()) {
      for (Item item : list.getValue()) {
        out.writeBytes(ascii(separator));
        out.writeBytes(named(list.getKey(), item));
        separator = ",";
      }
    }
    out.writeBytes(ascii("]}"));
    return out.toByteArray();
  }

  private byte[] named(String backend, Item item) {
    return name(new Target(backend, item.key()))
        .filter(name -> !name.equals(item.key()))
        .map(name -> EnvelopeEdit.of(item.json()).replace(item.keySpan(), Json.quote(name)).bytes())
        .orElse(item.json());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * A template as clients see it.
   *
   * @param added the number of characters that its client-side text has before the backend's own
   */
  private record Owned(UriTemplate template, Target owner, int added) {

    Target target(String clientUri) {
      return new Target(owner.backend(), clientUri.substring(added));
    }
  }
}
