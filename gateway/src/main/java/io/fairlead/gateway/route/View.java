package io.fairlead.gateway.route;

import io.fairlead.gateway.config.Version;
import io.vertx.core.json.JsonObject;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one endpoint offers: all backends, or one alone.
 *
 * <p>Thread: owner loop. Immutable, but for list results that it keeps once they were asked for.
 */
public final class View {

  private final List<Offer> offers;
  private final Optional<Naming> naming;
  private final Map<ListKind, Section> sections;
  private final FormerBackends former;

  private View(
      List<Offer> offers,
      Optional<Naming> naming,
      Map<ListKind, Section> sections,
      FormerBackends former) {
    this.offers = offers;
    this.naming = naming;
    this.sections = sections;
    this.former = former;
  }

  /**
   * @param offers in the order of backend names
   */
  static View of(List<Offer> offers) {
    return of(offers, new FormerBackends());
  }

  /**
   * @param former names under which clients may still look for what is gone
   */
  static View of(List<Offer> offers, FormerBackends former) {
    Optional<Naming> naming =
        offers.size() == 1
            ? Optional.empty()
            : Optional.of(
                new Naming(
                    offers.stream().collect(Collectors.toMap(Offer::backend, Offer::prefix))));
    View view = new View(List.copyOf(offers), naming, new EnumMap<>(ListKind.class), former);
    for (ListKind kind : ListKind.values()) {
      view.sections.put(kind, view.section(kind, Map.of()));
    }
    return view;
  }

  /** The names of its backends, in order. */
  public List<String> backends() {
    return offers.stream().map(Offer::backend).toList();
  }

  /**
   * This view with {@code own} lists of a session, by backend, in place of the shared ones. Costs
   * time in proportion to the list, so a session keeps it until the catalog has another view.
   */
  public View with(ListKind kind, Map<String, List<Item>> own) {
    if (own.isEmpty()) {
      return this;
    }
    Map<ListKind, Section> changed = new EnumMap<>(sections);
    changed.put(kind, section(kind, own));
    return new View(offers, naming, changed, former);
  }

  /** The result object of the list, in one page; not to be changed. */
  public byte[] list(ListKind kind) {
    return sections.get(kind).json();
  }

  /** As {@link #list(ListKind)} of {@link #with}. */
  public byte[] list(ListKind kind, Map<String, List<Item>> own) {
    return with(kind, own).list(kind);
  }

  /**
   * Where a client-side name leads. Tools and prompts are found by name, also those that are not in
   * the catalog but carry a backend's prefix; resources by URI: a listed one, else one that a
   * template matches, else one under a backend's name; templates by their text, else as a resource.
   * With one backend everything leads to it. What carries the prefix of a backend that is no longer
   * configured, and is nobody else's, leads there all the same, so that the caller is told.
   */
  public Optional<Target> find(ListKind kind, String clientName) {
    if (naming.isEmpty()) {
      return former(kind, clientName)
          .or(() -> Optional.of(new Target(offers.get(0).backend(), clientName)));
    }
    Optional<Target> listed = sections.get(kind).target(clientName);
    return switch (kind) {
      case TOOLS, PROMPTS ->
          listed.or(() -> naming.get().byPrefix(clientName)).or(() -> former.find(clientName));
      case RESOURCES ->
          listed
              .or(() -> sections.get(ListKind.TEMPLATES).match(clientName))
              .or(() -> naming.get().byOwner(clientName));
      case TEMPLATES -> listed.or(() -> find(ListKind.RESOURCES, clientName));
    };
  }

  /** Where the names of one backend stand for themselves, its own come first. */
  private Optional<Target> former(ListKind kind, String clientName) {
    if (kind == ListKind.RESOURCES || kind == ListKind.TEMPLATES) {
      return Optional.empty();
    }
    return former
        .find(clientName)
        .filter(
            gone ->
                offers.get(0).list(kind).stream().noneMatch(item -> item.key().equals(clientName)));
  }

  /** As {@link #find(ListKind, String)} of {@link #with}. */
  public Optional<Target> find(ListKind kind, String clientName, Map<String, List<Item>> own) {
    return with(kind, own).find(kind, clientName);
  }

  /**
   * The reverse: what a client has to say so that {@link #find} leads to {@code name} of {@code
   * backend}; empty if nothing does.
   */
  public Optional<String> clientName(ListKind kind, String backend, String name) {
    Target target = new Target(backend, name);
    return sections
        .get(kind)
        .name(target)
        .or(
            () ->
                candidates(kind, target)
                    .filter(said -> find(kind, said).filter(target::equals).isPresent())
                    .findFirst());
  }

  /** The capabilities of all backends, merged. */
  public JsonObject capabilities() {
    return Capabilities.merge(offers.stream().map(Offer::handshake).toList());
  }

  /** One backend's instructions as they are; of several, each under its backend's name. */
  public Optional<String> instructions() {
    if (naming.isEmpty()) {
      return offers.get(0).handshake().flatMap(Handshake::instructions);
    }
    String text = offers.stream().flatMap(this::section).collect(Collectors.joining("\n\n"));
    return Optional.of(text).filter(found -> !found.isEmpty());
  }

  /** One backend's own name and version; of several, or of one never reached, Fairlead's. */
  public JsonObject serverInfo() {
    return Optional.of(offers)
        .filter(found -> naming.isEmpty())
        .flatMap(found -> found.get(0).handshake())
        .map(Handshake::serverInfo)
        .filter(found -> !found.isEmpty())
        .map(JsonObject::copy)
        .orElseGet(View::fairlead);
  }

  private static JsonObject fairlead() {
    return new JsonObject().put("name", "fairlead").put("version", Version.TEXT);
  }

  private Section section(ListKind kind, Map<String, List<Item>> own) {
    Map<String, List<Item>> items = new HashMap<>();
    for (Offer offer : offers) {
      items.put(offer.backend(), own.getOrDefault(offer.backend(), offer.list(kind)));
    }
    return new Section(kind, items, naming);
  }

  /** What could lead to something that is not in the catalog. */
  private Stream<String> candidates(ListKind kind, Target target) {
    boolean known = offers.stream().anyMatch(offer -> offer.backend().equals(target.backend()));
    if (!known) {
      return Stream.empty();
    }
    return switch (kind) {
      case TOOLS, PROMPTS ->
          naming.map(found -> found.name(target)).orElse(Optional.of(target.name())).stream();
      case RESOURCES, TEMPLATES ->
          Stream.of(target.name(), Naming.owned(target.backend(), target.name()));
    };
  }

  private Stream<String> section(Offer offer) {
    return offer
        .handshake()
        .flatMap(Handshake::instructions)
        .map(
            text ->
                "## %s (names begin with %s)\n\n%s"
                    .formatted(offer.backend(), naming.get().start(offer.backend()), text.strip()))
        .stream();
  }
}
