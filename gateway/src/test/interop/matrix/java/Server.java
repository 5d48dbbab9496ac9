import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** The matrix's tools, offered by the Java SDK: {@code Server FILE --stdio}; see matrix-server.mjs. */
public final class Server {
  private static final String ANY =
      "{\"type\":\"object\",\"properties\":{\"key\":{\"type\":\"string\"},\"ms\":{\"type\":\"number\"},"
          + "\"ticks\":{\"type\":\"integer\"}}}";
  private static final Map<String, Object> NAME =
      Map.of("type", "object", "properties", Map.of("name", Map.of("type", "string")), "required", List.of("name"));

  private final Path file;
  private final McpJsonMapper mapper = mapper();

  private Server(Path file) {
    this.file = file;
  }

  public static void main(String[] args) {
    new Server(Path.of(args[0])).serve();
  }

  private void serve() {
    McpServer.sync(new StdioServerTransportProvider(mapper))
        .serverInfo("matrix", "1")
        .capabilities(ServerCapabilities.builder().tools(false).build())
        .tools(tool("append", this::append), tool("ask", this::ask), tool("die", this::die))
        .build();
  }

  private String append(McpSyncServerExchange exchange, CallToolRequest request) {
    String key = (String) request.arguments().get("key");
    write(key);
    Number ms = (Number) request.arguments().getOrDefault("ms", 100);
    int ticks = ((Number) request.arguments().getOrDefault("ticks", 4)).intValue();
    Object token = request.meta() == null ? null : request.meta().get("progressToken");
    try {
      for (int progress = 1; progress <= ticks; progress++) {
        Thread.sleep(ms.longValue() / ticks);
        if (token != null) {
          exchange.progressNotification(new ProgressNotification(token, progress, (double) ticks, null));
        }
      }
      Thread.sleep(50);
    } catch (InterruptedException e) {
      write("cancelled " + key);
      Thread.currentThread().interrupt();
    }
    return key;
  }

  private String ask(McpSyncServerExchange exchange, CallToolRequest request) {
    ElicitRequest question = ElicitRequest.builder().message("Who?").requestedSchema(NAME).build();
    return (String) exchange.createElicitation(question).content().get("name");
  }

  private String die(McpSyncServerExchange exchange, CallToolRequest request) {
    Runtime.getRuntime().halt(137);
    return "";
  }

  private SyncToolSpecification tool(
      String name, BiFunction<McpSyncServerExchange, CallToolRequest, String> run) {
    return SyncToolSpecification.builder()
        .tool(Tool.builder().name(name).description("See matrix-server.mjs").inputSchema(mapper, ANY).build())
        .callHandler(
            (exchange, request) ->
                CallToolResult.builder().addTextContent(run.apply(exchange, request)).isError(false).build())
        .build();
  }

  private void write(String line) {
    try {
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The versions differ in where they keep the default. */
  private static McpJsonMapper mapper() {
    for (String place : List.of("McpJsonDefaults", "McpJsonMapper")) {
      for (String method : List.of("getMapper", "getDefault", "getDefaultMcpJsonMapper")) {
        try {
          return (McpJsonMapper)
              Class.forName("io.modelcontextprotocol.json." + place).getMethod(method).invoke(null);
        } catch (ReflectiveOperationException e) {
          continue;
        }
      }
    }
    throw new IllegalStateException("no default mapper");
  }
}
