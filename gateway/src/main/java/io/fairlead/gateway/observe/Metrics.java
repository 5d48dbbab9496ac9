package io.fairlead.gateway.observe;

import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Counts and gauges. Names and labels are those of docs/reference-metrics.md; label values come
 * from closed sets, so that their number is bounded.
 *
 * <p>Thread: owner loop.
 */
public interface Metrics {

  /** Counts nothing. */
  static Metrics none() {
    return NoMetrics.INSTANCE;
  }

  /**
   * Registers a gauge {@code fairlead_<name>}, with its twin {@code _limit} if limit is not
   * negative.
   */
  void gauge(String name, LongSupplier value, LongSupplier limit);

  /** The same for one backend. */
  void gauge(String name, String backend, LongSupplier value, LongSupplier limit);

  /**
   * The backends that are configured from now on: others are counted as {@code other}, and their
   * gauges are dropped.
   */
  void backends(Set<String> names);

  /** {@code fairlead_refused_total{reason}}. */
  void refused(String reason);

  void sessionCreated();

  void sessionClosed(String reason);

  /** {@code fairlead_resumes_total{result}}. */
  void resumed(String result);

  void evicted(String kind);

  /** {@code fairlead_calls_total{backend,outcome}} and {@code fairlead_call_seconds{backend}}. */
  void called(String backend, String outcome, long nanos);

  /** {@code fairlead_reloads_total{result}}: a configuration was applied, or refused. */
  void reloaded(String result);

  /** {@code fairlead_<name>_total}, for what has no method of its own. */
  void count(String name);
}
