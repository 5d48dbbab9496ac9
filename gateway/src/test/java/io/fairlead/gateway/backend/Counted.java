package io.fairlead.gateway.backend;

import io.fairlead.gateway.observe.PrometheusMetrics;
import java.util.Set;

/** Metrics, and what they have counted. */
final class Counted {
  final PrometheusMetrics metrics = new PrometheusMetrics(Set.of());

  /** The value of {@code fairlead_<name>_total}; 0 if it was never counted. */
  long of(String name) {
    String series = "fairlead_" + name + "_total ";
    return metrics
        .scrape()
        .lines()
        .filter(line -> line.startsWith(series))
        .map(line -> (long) Double.parseDouble(line.substring(series.length())))
        .findFirst()
        .orElse(0L);
  }
}
