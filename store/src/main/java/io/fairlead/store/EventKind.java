package io.fairlead.store;

/** What an event carries; it decides the order of eviction. */
public enum EventKind {
  NOTIFICATION,
  REQUEST,
  RESPONSE
}
