package io.fairlead.gateway.interop;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.Root;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The Java MCP SDK's client, with answers to what servers ask of clients.
 *
 * <p>Thread: any. Owner: the test.
 */
final class SdkClient implements AutoCloseable {
  private final Queue<String> progress = new ConcurrentLinkedQueue<>();
  private final CountDownLatch progressed = new CountDownLatch(1);
  private final McpSyncClient client;

  private SdkClient(McpClientTransport transport, Path root) {
    this.client =
        McpClient.sync(transport)
            .clientInfo(Implementation.builder("java-sdk", "1").build())
            .capabilities(ClientCapabilities.builder().roots(true).sampling().elicitation().build())
            .roots(Root.builder(root.toUri().toString()).name("journey").build())
            .sampling(SdkClient::sample)
            .elicitation(
                form ->
                    ElicitResult.builder(ElicitResult.Action.ACCEPT)
                        .content(Map.of("name", "Ada"))
                        .build())
            .progressConsumer(
                event -> {
                  progress.add(event.progressToken() + ":" + event.progress().intValue());
                  progressed.countDown();
                })
            .requestTimeout(Duration.ofSeconds(20))
            .build();
  }

  /** Connects, and does the handshake. */
  static SdkClient connect(String url, Path root) {
    URI uri = URI.create(url);
    return connect(
        HttpClientStreamableHttpTransport.builder(uri.resolve("/").toString())
            .endpoint(uri.getPath())
            .build(),
        root);
  }

  /** Starts a server over stdio, and does the handshake. */
  static SdkClient spawn(List<String> command, Path root) {
    ServerParameters server =
        ServerParameters.builder(command.get(0)).args(command.subList(1, command.size())).build();
    return connect(new StdioClientTransport(server, McpJsonDefaults.getMapper()), root);
  }

  private static SdkClient connect(McpClientTransport transport, Path root) {
    SdkClient opened = new SdkClient(transport, root);
    opened.client.initialize();
    return opened;
  }

  /** The SDK's own client. */
  McpSyncClient sdk() {
    return client;
  }

  /**
   * Token and value of each progress of one call, in order, once there is so much of it: the SDK
   * tells of it on a thread of its own, so the answer may be there before.
   */
  List<String> progressOf(String token, int count) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    List<String> seen = List.of();
    while (seen.size() < count && System.nanoTime() < deadline) {
      seen = progress.stream().filter(event -> event.startsWith(token)).toList();
      Thread.onSpinWait();
    }
    return seen;
  }

  /** Waits for the first progress of its first call. */
  void awaitProgress() throws InterruptedException {
    if (!progressed.await(10, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no progress in 10 s");
    }
  }

  /** Calls a tool; its name is the progress token. */
  CallToolResult call(String tool, Map<String, Object> arguments) {
    return client.callTool(
        CallToolRequest.builder(tool).arguments(arguments).progressToken(tool).build());
  }

  /** Calls a tool; the texts of its result. */
  String text(String tool, Map<String, Object> arguments) {
    return text(call(tool, arguments));
  }

  static String text(CallToolResult result) {
    return result.content().stream()
        .filter(TextContent.class::isInstance)
        .map(content -> ((TextContent) content).text())
        .collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {
    client.closeGracefully();
  }

  private static CreateMessageResult sample(CreateMessageRequest request) {
    TextContent asked = (TextContent) request.messages().get(0).content();
    return CreateMessageResult.builder(Role.ASSISTANT, "I heard: " + asked.text(), "none").build();
  }
}
