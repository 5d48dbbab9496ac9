package io.fairlead.client;

import java.time.Duration;

/**
 * How a link watches whether the run of the server that has its calls still lives.
 *
 * @param busy between two probes while calls are in flight, or the server seems gone
 * @param idle between two probes otherwise; zero: none
 * @param failures in a row after which the server counts as gone
 */
public record Probing(Duration busy, Duration idle, int failures) {}
