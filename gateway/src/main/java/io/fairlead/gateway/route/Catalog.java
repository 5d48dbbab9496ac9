package io.fairlead.gateway.route;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.BackendFailure;
import io.fairlead.gateway.backend.Link;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What all backends offer, read through one shared link to each, and kept fresh. A backend that is
 * down keeps its last good lists; one that has not been read yet offers nothing, which is not the
 * same as an empty list: its state says so.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public final class Catalog {
  private final Vertx vertx;
  private final byte[] initializeParams;
  private final Pace pace;
  private final Listener listener;
  private final SortedMap<String, SharedLink> links = new TreeMap<>();
  private final Map<String, String> prefixes = new HashMap<>();
  private final FormerBackends former = new FormerBackends();
  private final Map<String, View> alone = new HashMap<>();
  private View all;

  /**
   * @param backends by name; closed by whoever made them
   * @param prefixes by backend name; empty or absent: the backend's own name
   * @param initializeParams the JSON object to send as params of {@code initialize}
   */
  public Catalog(
      Vertx vertx,
      Map<String, Backend> backends,
      Map<String, Optional<String>> prefixes,
      byte[] initializeParams,
      Listener listener) {
    this(vertx, backends, prefixes, initializeParams, listener, Pace.USUAL);
  }

  Catalog(
      Vertx vertx,
      Map<String, Backend> backends,
      Map<String, Optional<String>> prefixes,
      byte[] initializeParams,
      Listener listener,
      Pace pace) {
    this.vertx = vertx;
    this.initializeParams = initializeParams;
    this.pace = pace;
    this.listener = listener;
    backends.forEach((name, backend) -> links.put(name, newLink(name, backend)));
    setPrefixes(prefixes);
    look();
  }

  private SharedLink newLink(String name, Backend backend) {
    return new SharedLink(vertx, backend, initializeParams, pace, heard(name));
  }

  private void setPrefixes(Map<String, Optional<String>> configured) {
    prefixes.clear();
    links
        .keySet()
        .forEach(
            name ->
                prefixes.put(name, configured.getOrDefault(name, Optional.empty()).orElse(name)));
  }

  /** Makes every view anew. */
  private void look() {
    alone.clear();
    links.keySet().forEach(name -> alone.put(name, View.of(List.of(offer(name)))));
    all = merged();
  }

  /** Opens the shared links in the background; what fails is tried again for ever. Call it once. */
  public void start() {
    links.values().forEach(SharedLink::start);
  }

  /**
   * Other backends are offered from now on. Those that stay keep their links.
   *
   * @param removed names that are offered no more
   * @param added backends that are opened: new ones, and others in the place of those of before
   * @param prefixes of all backends, as in the constructor
   * @return by name, what closes the links of what was removed or replaced; they are open for the
   *     calls that run
   */
  public Map<String, Supplier<Future<Void>>> replace(
      Set<String> removed, Map<String, Backend> added, Map<String, Optional<String>> prefixes) {
    View before = all;
    Map<String, SharedLink> retired = new HashMap<>();
    for (String name : removed) {
      former.add(name, this.prefixes.get(name));
      retired.put(name, links.remove(name));
    }
    added.forEach(
        (name, backend) -> {
          former.remove(name);
          SharedLink link = newLink(name, backend);
          Optional.ofNullable(links.put(name, link))
              .ifPresent(
                  replaced -> {
                    link.succeed(replaced);
                    retired.put(name, replaced);
                  });
        });
    retired.values().forEach(SharedLink::retire);
    setPrefixes(prefixes);
    look();
    added.keySet().forEach(name -> links.get(name).start());
    Set<ListKind> changed = EnumSet.noneOf(ListKind.class);
    for (ListKind kind : ListKind.values()) {
      if (!Arrays.equals(before.list(kind), all.list(kind))) {
        changed.add(kind);
      }
    }
    if (!changed.isEmpty()) {
      listener.changed(changed, "");
    }
    Map<String, Supplier<Future<Void>>> closing = new HashMap<>();
    retired.forEach((name, link) -> closing.put(name, link::close));
    return closing;
  }

  /** The names of the backends, in order. */
  public Set<String> backends() {
    return Collections.unmodifiableSet(links.keySet());
  }

  /** Whether there is a backend of this name, or was one, whose sessions may still be there. */
  public boolean knows(String backend) {
    return links.containsKey(backend) || former.contains(backend);
  }

  /**
   * Completes on the owner loop when each backend's first attempt has ended, well or not, or the
   * catalog was closed; never fails.
   */
  public Future<Void> settled() {
    return Future.join(links.values().stream().map(SharedLink::settled).toList()).mapEmpty();
  }

  /** All backends, as they are known now; another object after each change. */
  public View all() {
    return all;
  }

  /** One backend alone; empty if there is none of that name. */
  public Optional<View> only(String backend) {
    return Optional.ofNullable(alone.get(backend));
  }

  /** How the backend does; down if there is none of that name. */
  public State state(String backend) {
    return Optional.ofNullable(links.get(backend))
        .map(SharedLink::state)
        .orElseGet(() -> State.down("it is not configured"));
  }

  /** The shared link to the backend, while it is open. */
  public Optional<Link> link(String backend) {
    return Optional.ofNullable(links.get(backend)).flatMap(SharedLink::link);
  }

  /**
   * The shared link to the backend, once its first attempt has ended; fails with a {@link
   * BackendFailure} if it is not open then.
   */
  public Future<Link> opened(String backend) {
    SharedLink link = links.get(backend);
    return link == null || link.link().isPresent()
        ? linkNow(backend)
        : link.settled().compose(tried -> linkNow(backend));
  }

  private Future<Link> linkNow(String backend) {
    return link(backend)
        .map(Future::succeededFuture)
        .orElseGet(
            () ->
                Future.failedFuture(
                    new BackendFailure(
                        "backend_unavailable",
                        "backend "
                            + backend
                            + (links.containsKey(backend)
                                ? " is not connected; try again later"
                                : " is no longer configured"))));
  }

  /**
   * Asks for a refresh, because somebody heard that the list has changed. At most one read of a
   * list is under way at a time, and at most one begins in a second.
   */
  public void stale(String backend, ListKind kind) {
    Optional.ofNullable(links.get(backend)).ifPresent(link -> link.stale(kind));
  }

  /** Closes the shared links. Idempotent; completes on the owner loop, never fails. */
  public Future<Void> close() {
    return Future.join(links.values().stream().map(SharedLink::close).toList()).mapEmpty();
  }

  private Offer offer(String name) {
    return links.get(name).offer(prefixes.get(name));
  }

  private View merged() {
    return View.of(links.keySet().stream().map(this::offer).toList(), former);
  }

  private SharedLink.Listener heard(String name) {
    return new SharedLink.Listener() {
      @Override
      public void state(State state) {
        listener.state(name, state);
      }

      @Override
      public void offered(Set<ListKind> changed) {
        alone.put(name, View.of(List.of(offer(name))));
        all = merged();
        if (!changed.isEmpty()) {
          listener.changed(changed, name);
        }
      }
    };
  }

  /** Hears of changes. Every method is called on the owner loop. */
  public interface Listener {

    /**
     * What {@code backend} offers in these lists has changed, or what all offer if it is empty; the
     * views are new already.
     */
    void changed(Set<ListKind> kinds, String backend);

    /** The backend came up, went down, or does so for another reason. */
    void state(String backend, State state);
  }
}
