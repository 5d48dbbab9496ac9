package io.fairlead.gateway.observe;

import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Counts nothing: what a gateway without a management listener uses.
 *
 * <p>Thread: any; stateless.
 */
enum NoMetrics implements Metrics {
  INSTANCE;

  @Override
  public void gauge(String name, LongSupplier value, LongSupplier limit) {}

  @Override
  public void gauge(String name, String backend, LongSupplier value, LongSupplier limit) {}

  @Override
  public void backends(Set<String> names) {}

  @Override
  public void refused(String reason) {}

  @Override
  public void sessionCreated() {}

  @Override
  public void sessionClosed(String reason) {}

  @Override
  public void resumed(String result) {}

  @Override
  public void evicted(String kind) {}

  @Override
  public void called(String backend, String outcome, long nanos) {}

  @Override
  public void reloaded(String result) {}

  @Override
  public void count(String name) {}
}
