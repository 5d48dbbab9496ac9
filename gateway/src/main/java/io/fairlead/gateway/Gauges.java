package io.fairlead.gateway;

import io.fairlead.gateway.auth.FailedCredentials;
import io.fairlead.gateway.http.Entrance;
import io.fairlead.gateway.http.Front;
import io.fairlead.gateway.observe.Metrics;
import io.fairlead.gateway.session.Services;
import java.util.function.LongSupplier;

/**
 * Registers a gauge for everything that is bounded, with its limit.
 *
 * <p>Thread: owner loop; the gauges are read there too.
 */
final class Gauges {
  private static final LongSupplier NO_LIMIT = () -> -1;

  private Gauges() {}

  static void register(Assembly parts, Front front, Entrance entrance) {
    Services services = parts.services();
    Metrics metrics = services.metrics();
    metrics.gauge("sessions", parts.sessions()::size, () -> services.config().sessions().max());
    metrics.gauge(
        "handshakes",
        parts.sessions()::handshakes,
        () -> services.config().sessions().maxPendingHandshakes());
    metrics.gauge("calls", services.tally()::calls, () -> services.config().limits().calls());
    metrics.gauge("streams", services.tally()::streams, NO_LIMIT);
    metrics.gauge("sinks", services.tally()::sinks, NO_LIMIT);
    metrics.gauge("events", services.store()::events, NO_LIMIT);
    metrics.gauge(
        "event_bytes", services.store()::bytes, () -> services.config().events().maxBytes());
    metrics.gauge("body_bytes", front.bodies()::bodyBytes, front.bodies()::budget);
    metrics.gauge(
        "call_bytes", services.tally().callBytes()::held, services.tally().callBytes()::limit);
    metrics.gauge(
        "session_bytes",
        services.tally().sessionBytes()::held,
        services.tally().sessionBytes()::limit);
    metrics.gauge("unsent_bytes", front.unsent()::bytes, front.unsent()::limit);
    metrics.gauge(
        "connections", entrance::connections, () -> services.config().limits().connections());
    metrics.gauge("connections_per_address", entrance::connectionsOfOneAddress, NO_LIMIT);
    metrics.gauge(
        "failing_addresses", front.failures()::addresses, () -> FailedCredentials.MAX_ADDRESSES);
    metrics.gauge("heap_bytes", front.heap()::used, front.heap()::limit);
    metrics.gauge("timers", services.loop()::timers, NO_LIMIT);
    perBackend(parts);
  }

  /** Those of each backend, again whenever the backends have changed. */
  static void perBackend(Assembly parts) {
    Services services = parts.services();
    Metrics metrics = services.metrics();
    parts
        .backends()
        .children()
        .forEach(
            (name, stdio) ->
                metrics.gauge("children", name, stdio::children, stdio::childrenLimit));
    parts
        .backends()
        .buses()
        .forEach(
            (name, bus) ->
                metrics.gauge("event_bus_requests", name, bus::pending, bus::pendingLimit));
    parts
        .backends()
        .all()
        .keySet()
        .forEach(
            name ->
                metrics.gauge(
                    "links",
                    name,
                    () ->
                        services.tally().links(name)
                            + services.catalog().link(name).stream().count(),
                    NO_LIMIT));
  }
}
