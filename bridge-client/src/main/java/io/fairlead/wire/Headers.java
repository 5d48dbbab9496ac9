package io.fairlead.wire;

/** Header names and media types of Streamable HTTP. */
public final class Headers {
  public static final String SESSION = "Mcp-Session-Id";
  public static final String VERSION = "MCP-Protocol-Version";
  public static final String LAST_EVENT_ID = "Last-Event-ID";
  public static final String INSTANCE = "Fairlead-Instance";
  public static final String CALL = "Fairlead-Call";
  public static final String JSON = "application/json";
  public static final String SSE = "text/event-stream";

  private Headers() {}
}
