package io.fairlead.gateway.config;

import java.util.List;

/**
 * One broken rule of a record.
 *
 * @param keys the keys that the rule is about, the one to report it at first; relative to the
 *     record's section
 * @param what what is wrong, with the value
 * @param remedy what to write instead
 */
record Fault(List<String> keys, String what, String remedy) {
  @Override
  public String toString() {
    return keys.get(0) + ": " + what + "; " + remedy;
  }
}
