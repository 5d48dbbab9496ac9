package io.fairlead.gateway.route;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.fairlead.wire.Methods;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/** The four lists that a backend offers, and what the protocol calls their parts. */
public enum ListKind {
  TOOLS(Methods.TOOLS_LIST, "tools", "name", Methods.TOOLS_CHANGED, "tools"),
  PROMPTS(Methods.PROMPTS_LIST, "prompts", "name", Methods.PROMPTS_CHANGED, "prompts"),
  RESOURCES(Methods.RESOURCES_LIST, "resources", "uri", Methods.RESOURCES_CHANGED, "resources"),
  TEMPLATES(
      Methods.TEMPLATES_LIST,
      "resourceTemplates",
      "uriTemplate",
      Methods.RESOURCES_CHANGED,
      "resources");

  private static final Map<String, Set<ListKind>> CHANGED_BY =
      Arrays.stream(values()).collect(groupingBy(ListKind::changed, toUnmodifiableSet()));

  private final String method;
  private final String member;
  private final String key;
  private final String changed;
  private final String capability;

  ListKind(String method, String member, String key, String changed, String capability) {
    this.method = method;
    this.member = member;
    this.key = key;
    this.changed = changed;
    this.capability = capability;
  }

  /** The method that asks for it. */
  public String method() {
    return method;
  }

  /** The member of the result that holds the items. */
  public String member() {
    return member;
  }

  /** The member of an item that tells it from the others. */
  public String key() {
    return key;
  }

  /** The notification that says that it has changed. */
  public String changed() {
    return changed;
  }

  /** The capability with which a server announces it. */
  public String capability() {
    return capability;
  }

  /** The lists that the notification {@code method} is about; empty for any other method. */
  public static Set<ListKind> changedBy(String method) {
    return CHANGED_BY.getOrDefault(method, Set.of());
  }
}
