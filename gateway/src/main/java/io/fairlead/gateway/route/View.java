package io.fairlead.gateway.route;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one endpoint offers: all backends, or one alone.
 *
 * <p>Thread: owner loop. Immutable, but for results that it keeps once they were asked for.
 */
public final class View {

  View() {}

  /** The names of its backends, in order. */
  public List<String> backends() {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * This view with {@code own} lists of a session, by backend, in place of the shared ones. Costs
   * time in proportion to the list, so a session keeps it until {@link Catalog#all} changes.
   */
  public View with(ListKind kind, Map<String, List<Item>> own) {
    throw new UnsupportedOperationException("stub");
  }

  /** The result object of the list, in one page; not to be changed. */
  public byte[] list(ListKind kind) {
    throw new UnsupportedOperationException("stub");
  }

  /** As {@link #list(ListKind)} of {@link #with}. */
  public byte[] list(ListKind kind, Map<String, List<Item>> own) {
    return with(kind, own).list(kind);
  }

  /**
   * Where a client-side name leads. Tools and prompts are found by name, also those that are not in
   * the catalog but carry a backend's prefix; resources by URI: a listed one, else one that a
   * template matches; templates by their text, else as a resource. With one backend everything
   * leads to it.
   */
  public Optional<Target> find(ListKind kind, String clientName) {
    throw new UnsupportedOperationException("stub");
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
    throw new UnsupportedOperationException("stub");
  }

  /** The capabilities of all backends, merged. */
  public JsonObject capabilities() {
    throw new UnsupportedOperationException("stub");
  }

  /** One backend's instructions as they are; of several, each under its backend's name. */
  public Optional<String> instructions() {
    throw new UnsupportedOperationException("stub");
  }

  /** One backend's own name and version; of several, Fairlead's. */
  public JsonObject serverInfo() {
    throw new UnsupportedOperationException("stub");
  }
}
