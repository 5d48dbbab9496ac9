package io.fairlead.gateway.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Metrics for a Prometheus server, on Micrometer.
 *
 * <p>Thread: owner loop, scraping included: gauges read the owner's state. Owner: the gateway
 * verticle.
 */
public final class PrometheusMetrics implements Metrics {
  private static final String PREFIX = "fairlead_";
  private static final String BACKEND = "backend";
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  // The library forbids names that end in _created, so that counter has another name until written.
  private static final String CREATED = PREFIX + "sessions_created";
  private static final String CREATED_IN_LIBRARY = PREFIX + "sessions_opened";

  // It also takes the counter fairlead_calls_total for the gauge fairlead_calls, and drops it.
  private static final String CALLS = PREFIX + "calls";
  private static final String CALLS_IN_LIBRARY = PREFIX + "calls_ended";

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30),
    Duration.ofMinutes(1),
    Duration.ofMinutes(5),
    Duration.ofMinutes(30),
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Labels labels = new Labels();

  /** The counters of {@link #word}, by metric and value: to look one up in the registry is dear. */
  private final Map<String, Map<String, Counter>> words = new HashMap<>();

  /**
   * @param backends the names in the configuration
   */
  public PrometheusMetrics(Set<String> backends) {
    backends(backends);
    counter(CREATED_IN_LIBRARY, Tags.empty());
    counter(PREFIX + "fences", Tags.empty());
  }

  /** Everything as text, with the media type {@link #contentType()}. */
  public String scrape() {
    return registry
        .scrape(TEXT)
        .replace(CREATED_IN_LIBRARY, CREATED)
        .replace(CALLS_IN_LIBRARY, CALLS);
  }

  public String contentType() {
    return TEXT;
  }

  @Override
  public void gauge(String name, LongSupplier value, LongSupplier limit) {
    gauge(PREFIX + name, Tags.empty(), value, limit);
  }

  @Override
  public void gauge(String name, String backend, LongSupplier value, LongSupplier limit) {
    gauge(PREFIX + name, Tags.of(BACKEND, labels.backend(backend)), value, limit);
  }

  @Override
  public void backends(Set<String> names) {
    labels.backends(names);
    for (Meter meter : registry.getMeters()) {
      String backend = meter.getId().getTag(BACKEND);
      if (backend != null && labels.backend(backend).equals(Labels.OTHER)) {
        registry.remove(meter);
      }
    }
  }

  @Override
  public void refused(String reason) {
    word("refused", "reason", reason);
  }

  @Override
  public void sessionCreated() {
    counter(CREATED_IN_LIBRARY, Tags.empty()).increment();
  }

  @Override
  public void sessionClosed(String reason) {
    word("sessions_closed", "reason", reason);
  }

  @Override
  public void resumed(String result) {
    word("resumes", "result", result);
  }

  @Override
  public void evicted(String kind) {
    word("events_evicted", "kind", kind);
  }

  @Override
  public void called(String backend, String outcome, long nanos) {
    Tags one = Tags.of(BACKEND, labels.backend(backend));
    counter(CALLS_IN_LIBRARY, one.and("outcome", labels.word("calls", outcome))).increment();
    Timer.builder(PREFIX + "call")
        .tags(one)
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(Duration.ofNanos(nanos));
  }

  @Override
  public void reloaded(String result) {
    word("reloads", "result", result);
  }

  @Override
  public void count(String name) {
    counter(PREFIX + labels.word("", name), Tags.empty()).increment();
  }

  private void word(String metric, String label, String value) {
    words
        .computeIfAbsent(metric, unused -> new HashMap<>())
        .computeIfAbsent(
            labels.word(metric, value), word -> counter(PREFIX + metric, Tags.of(label, word)))
        .increment();
  }

  private Counter counter(String name, Tags tags) {
    return Counter.builder(name).tags(tags).register(registry);
  }

  private void gauge(String name, Tags tags, LongSupplier value, LongSupplier limit) {
    replace(name, tags, value);
    if (limit.getAsLong() >= 0) {
      replace(name + "_limit", tags, limit);
    }
  }

  /** Registering alone would keep the supplier of before, after a backend was configured anew. */
  private void replace(String name, Tags tags, LongSupplier value) {
    Meter before = registry.find(name).tags(tags).gauge();
    if (before != null) {
      registry.remove(before);
    }
    Gauge.builder(name, value::getAsLong).tags(tags).register(registry);
  }
}
