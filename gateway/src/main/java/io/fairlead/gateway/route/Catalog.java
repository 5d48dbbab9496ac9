package io.fairlead.gateway.route;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.Link;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What all backends offer, read through one shared link to each, and kept fresh.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public final class Catalog {

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
      Listener listener) {}

  /** Opens the shared links in the background; what fails is tried again for ever. */
  public void start() {
    throw new UnsupportedOperationException("stub");
  }

  /** Completes on the owner loop when each backend's first attempt has ended; never fails. */
  public Future<Void> settled() {
    throw new UnsupportedOperationException("stub");
  }

  /** All backends, as they are known now; another object after each change. */
  public View all() {
    throw new UnsupportedOperationException("stub");
  }

  /** One backend alone; empty if there is none of that name. */
  public Optional<View> only(String backend) {
    throw new UnsupportedOperationException("stub");
  }

  /** How the backend does. */
  public State state(String backend) {
    throw new UnsupportedOperationException("stub");
  }

  /** The shared link to the backend, while it is open. */
  public Optional<Link> link(String backend) {
    throw new UnsupportedOperationException("stub");
  }

  /** Asks for a refresh, because somebody heard that the list has changed. */
  public void stale(String backend, ListKind kind) {
    throw new UnsupportedOperationException("stub");
  }

  /** Closes the shared links. Idempotent; completes on the owner loop, never fails. */
  public Future<Void> close() {
    throw new UnsupportedOperationException("stub");
  }

  /** Hears of changes. Every method is called on the owner loop. */
  public interface Listener {

    /** A refresh changed what {@code backend} offers in these lists; the views are new already. */
    void changed(Set<ListKind> kinds, String backend);

    /** The backend came up, went down, or does so for another reason. */
    void state(String backend, State state);
  }
}
