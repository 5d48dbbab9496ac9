package io.fairlead.store;

/** What an event carries, in the order of eviction: what comes first here goes first. */
public enum EventKind {
  NOTIFICATION,
  REQUEST,
  RESPONSE
}
