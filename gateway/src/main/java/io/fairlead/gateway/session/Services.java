package io.fairlead.gateway.session;

import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.observe.Metrics;
import io.fairlead.gateway.route.Catalog;
import io.fairlead.gateway.route.Router;
import io.fairlead.gateway.route.View;
import io.fairlead.store.EventStore;
import io.fairlead.store.StreamIds;
import io.fairlead.wire.EnvelopeReader;
import java.util.Optional;

/**
 * What all sessions of one gateway share.
 *
 * @param loop the owner loop
 * @param inForce the configuration that holds now
 * @param store the event store
 * @param streamIds names for new streams
 * @param catalog what the backends offer
 * @param router decides where requests go
 * @param metrics counts and gauges
 * @param tally live numbers
 * @param instance this run of the gateway, as in {@code Fairlead-Instance}
 */
public record Services(
    OwnerLoop loop,
    InForce inForce,
    EventStore store,
    StreamIds streamIds,
    Catalog catalog,
    Router router,
    Metrics metrics,
    Tally tally,
    String instance) {

  /** The configuration that holds now; not to be kept. */
  public GatewayConfig config() {
    return inForce.config();
  }

  /** Reads messages within the limits that hold now. */
  public EnvelopeReader reader() {
    return inForce.reader();
  }

  /** What an endpoint offers: of one backend, or of all if {@code endpoint} is empty. */
  public Optional<View> view(String endpoint) {
    return endpoint.isEmpty() ? Optional.of(catalog.all()) : catalog.only(endpoint);
  }
}
