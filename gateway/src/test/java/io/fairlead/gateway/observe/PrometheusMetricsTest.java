package io.fairlead.gateway.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Names, limits and bounded labels of the contract's metrics. */
class PrometheusMetricsTest {
  private final PrometheusMetrics metrics = new PrometheusMetrics(Set.of("demo", "search"));

  @Test
  void gaugeHasATwinThatIsItsLimit() {
    AtomicLong sessions = new AtomicLong(3);
    metrics.gauge("sessions", sessions::get, () -> 10);
    assertEquals("3.0", value("fairlead_sessions"));
    assertEquals("10.0", value("fairlead_sessions_limit"));
    sessions.set(4);
    assertEquals("4.0", value("fairlead_sessions"));
  }

  @Test
  void gaugeWithoutALimitHasNoTwin() {
    metrics.gauge("timers", () -> 1, () -> -1);
    assertFalse(metrics.scrape().contains("fairlead_timers_limit"));
  }

  @Test
  void everyCounterHasTheNameOfTheContract() {
    metrics.sessionCreated();
    metrics.sessionClosed("expired");
    metrics.refused("overloaded");
    metrics.resumed("replayed");
    metrics.evicted("notification");
    metrics.called("demo", "answered", TimeUnit.MILLISECONDS.toNanos(3));
    metrics.count("fences");
    assertEquals("1.0", value("fairlead_sessions_created_total"));
    assertEquals("1.0", value("fairlead_sessions_closed_total{reason=\"expired\"}"));
    assertEquals("1.0", value("fairlead_refused_total{reason=\"overloaded\"}"));
    assertEquals("1.0", value("fairlead_resumes_total{result=\"replayed\"}"));
    assertEquals("1.0", value("fairlead_events_evicted_total{kind=\"notification\"}"));
    assertEquals("1.0", value("fairlead_calls_total{backend=\"demo\",outcome=\"answered\"}"));
    assertEquals("1.0", value("fairlead_fences_total"));
    assertEquals("1", value("fairlead_call_seconds_count{backend=\"demo\"}"));
    assertEquals("1", value("fairlead_call_seconds_bucket{backend=\"demo\",le=\"0.005\"}"));
    assertEquals("0", value("fairlead_call_seconds_bucket{backend=\"demo\",le=\"0.001\"}"));
  }

  @Test
  void countersOfOneSeriesAreThereBeforeTheyCount() {
    assertEquals("0.0", value("fairlead_sessions_created_total"));
    assertEquals("0.0", value("fairlead_fences_total"));
  }

  @Test
  void createdSessionsAndOpenSessionsAreTwoMetrics() {
    metrics.gauge("sessions", () -> 7, () -> -1);
    metrics.sessionCreated();
    assertEquals("7.0", value("fairlead_sessions"));
    assertEquals("1.0", value("fairlead_sessions_created_total"));
  }

  @Test
  void endedCallsAndOpenCallsAreTwoMetrics() {
    metrics.gauge("calls", () -> 7, () -> -1);
    metrics.called("demo", "answered", 1);
    assertEquals("7.0", value("fairlead_calls"));
    assertEquals("1.0", value("fairlead_calls_total{backend=\"demo\",outcome=\"answered\"}"));
  }

  @Test
  void unknownBackendIsCountedAsOther() {
    metrics.called("mallory", "answered", 1);
    assertEquals("1.0", value("fairlead_calls_total{backend=\"other\",outcome=\"answered\"}"));
    assertFalse(metrics.scrape().contains("mallory"));
  }

  @Test
  @DisplayName("lifecycle 114: a label takes so many values, and then other")
  void valuesOfALabelAreBounded() {
    for (int i = 0; i < 1_000; i++) {
      metrics.refused("reason_" + i);
    }
    metrics.refused("Evil\n{}");
    Set<String> series =
        metrics
            .scrape()
            .lines()
            .filter(line -> line.startsWith("fairlead_refused_total"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Labels.MAX_VALUES + 1, series.size());
    assertTrue(
        series.contains("fairlead_refused_total{reason=\"other\"} 937.0"), series.toString());
  }

  @Test
  void reachedLimitIsCountedByItsKey() {
    metrics.refused("limits.calls-per-session");
    assertEquals("1.0", value("fairlead_refused_total{reason=\"limits.calls-per-session\"}"));
  }

  @Test
  void gaugeThatIsRegisteredAgainReadsTheNewSource() {
    metrics.gauge("links", "demo", () -> 1, () -> 5);
    metrics.gauge("links", "demo", () -> 2, () -> 6);
    assertEquals("2.0", value("fairlead_links{backend=\"demo\"}"));
    assertEquals("6.0", value("fairlead_links_limit{backend=\"demo\"}"));
  }

  @Test
  void gaugesOfABackendThatIsNoLongerConfiguredAreDropped() {
    metrics.gauge("links", "demo", () -> 1, () -> -1);
    metrics.gauge("links", "search", () -> 2, () -> -1);
    metrics.backends(Set.of("search", "fresh"));
    metrics.gauge("links", "fresh", () -> 3, () -> -1);
    List<String> links =
        metrics.scrape().lines().filter(line -> line.startsWith("fairlead_links{")).toList();
    assertEquals(
        List.of("fairlead_links{backend=\"fresh\"} 3.0", "fairlead_links{backend=\"search\"} 2.0"),
        links);
  }

  private String value(String series) {
    return metrics
        .scrape()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .map(line -> line.substring(series.length() + 1))
        .findFirst()
        .orElseThrow(() -> new AssertionError(series + " not in\n" + metrics.scrape()));
  }
}
