package io.fairlead.gateway.config;

import java.util.LinkedHashMap;
import java.util.Map;

/** How secrets are shown: not at all. */
final class Masked {
  static final String VALUE = "***";

  private Masked() {}

  /** The same keys, in the order of their names, without their values. */
  static Map<String, String> values(Map<String, String> secrets) {
    Map<String, String> masked = new LinkedHashMap<>();
    secrets.keySet().stream().sorted().forEach(key -> masked.put(key, VALUE));
    return masked;
  }

  /** The same address without its query, which may hold a key. */
  static String url(String url) {
    int query = url.indexOf('?');
    return query < 0 ? url : url.substring(0, query + 1) + VALUE;
  }
}
