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
 * @param config the configuration in force
 * @param store the event store
 * @param streamIds names for new streams
 * @param catalog what the backends offer
 * @param reader reads messages
 * @param router decides where requests go
 * @param metrics counts and gauges
 * @param tally live numbers
 * @param instance this run of the gateway, as in {@code Fairlead-Instance}
 */
public record Services(
    OwnerLoop loop,
    GatewayConfig config,
    EventStore store,
    StreamIds streamIds,
    Catalog catalog,
    EnvelopeReader reader,
    Router router,
    Metrics metrics,
    Tally tally,
    String instance) {

  /** What an endpoint offers: of one backend, or of all if {@code endpoint} is empty. */
  public Optional<View> view(String endpoint) {
    return endpoint.isEmpty() ? Optional.of(catalog.all()) : catalog.only(endpoint);
  }
}
