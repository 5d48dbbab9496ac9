package io.fairlead.wire;

/** Method names of MCP up to 2025-11-25, and facts about them. */
public final class Methods {
  public static final String INITIALIZE = "initialize";
  public static final String INITIALIZED = "notifications/initialized";
  public static final String PING = "ping";
  public static final String CANCELLED = "notifications/cancelled";
  public static final String PROGRESS = "notifications/progress";
  public static final String MESSAGE = "notifications/message";
  public static final String TOOLS_LIST = "tools/list";
  public static final String TOOLS_CALL = "tools/call";
  public static final String TOOLS_CHANGED = "notifications/tools/list_changed";
  public static final String PROMPTS_LIST = "prompts/list";
  public static final String PROMPTS_GET = "prompts/get";
  public static final String PROMPTS_CHANGED = "notifications/prompts/list_changed";
  public static final String RESOURCES_LIST = "resources/list";
  public static final String RESOURCES_READ = "resources/read";
  public static final String RESOURCES_SUBSCRIBE = "resources/subscribe";
  public static final String RESOURCES_UNSUBSCRIBE = "resources/unsubscribe";
  public static final String RESOURCES_CHANGED = "notifications/resources/list_changed";
  public static final String RESOURCES_UPDATED = "notifications/resources/updated";
  public static final String TEMPLATES_LIST = "resources/templates/list";
  public static final String COMPLETE = "completion/complete";
  public static final String SET_LEVEL = "logging/setLevel";
  public static final String ELICIT = "elicitation/create";
  public static final String ELICITED = "notifications/elicitation/complete";
  public static final String SAMPLE = "sampling/createMessage";
  public static final String ROOTS_LIST = "roots/list";
  public static final String ROOTS_CHANGED = "notifications/roots/list_changed";

  private Methods() {}

  /** Whether it is the method of a notification. */
  public static boolean notifies(String method) {
    return method.startsWith("notifications/");
  }

  /**
   * Whether it is the method of a request, by what it is about, so that one of a later revision is
   * known as well. Neither this nor {@link #notifies} holds for what servers add of their own.
   */
  static boolean asks(String method) {
    int slash = method.indexOf('/');
    return switch (slash < 0 ? method : method.substring(0, slash)) {
      case INITIALIZE, PING -> slash < 0;
      case "tools", "prompts", "resources", "completion", "logging", "tasks" -> slash > 0;
      case "elicitation", "sampling", "roots", "server", "subscriptions" -> slash > 0;
      default -> false;
    };
  }

  /** Whether the method only reads, so that it may be sent again after a transport failure. */
  public static boolean reads(String method) {
    return switch (method) {
      case PING, TOOLS_LIST, PROMPTS_LIST, PROMPTS_GET, RESOURCES_LIST, RESOURCES_READ -> true;
      case TEMPLATES_LIST, COMPLETE -> true;
      default -> false;
    };
  }
}
