package io.fairlead.store;

/** What an event carries, in the order of eviction: what comes first here goes first. */
public enum EventKind {
  NOTIFICATION("notification"),
  REQUEST("request"),
  RESPONSE("response");

  private final String word;

  EventKind(String word) {
    this.word = word;
  }

  /** As a word, for figures and texts. */
  public String word() {
    return word;
  }
}
