package io.fairlead.gateway.route;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.Link;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What all backends offer, read through one shared link to each, and kept fresh. A backend that is
 * down keeps its last good lists; one that has not been read yet offers nothing, which is not the
 * same as an empty list: its state says so.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public final class Catalog {
  private final SortedMap<String, SharedLink> links = new TreeMap<>();
  private final Map<String, String> prefixes = new HashMap<>();
  private final Map<String, View> alone = new HashMap<>();
  private final Listener listener;
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
    this.listener = listener;
    backends.forEach(
        (name, backend) -> {
          links.put(name, new SharedLink(vertx, backend, initializeParams, pace, heard(name)));
          this.prefixes.put(name, prefixes.getOrDefault(name, Optional.empty()).orElse(name));
        });
    links.keySet().forEach(name -> alone.put(name, View.of(List.of(offer(name)))));
    this.all = merged();
  }

  /** Opens the shared links in the background; what fails is tried again for ever. Call it once. */
  public void start() {
    links.values().forEach(SharedLink::start);
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

  /** How the backend does; there must be one of that name. */
  public State state(String backend) {
    return links.get(backend).state();
  }

  /** The shared link to the backend, while it is open. */
  public Optional<Link> link(String backend) {
    return Optional.ofNullable(links.get(backend)).flatMap(SharedLink::link);
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
    return View.of(links.keySet().stream().map(this::offer).toList());
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

    /** A refresh changed what {@code backend} offers in these lists; the views are new already. */
    void changed(Set<ListKind> kinds, String backend);

    /** The backend came up, went down, or does so for another reason. */
    void state(String backend, State state);
  }
}
