package io.fairlead.gateway.interop;

import io.vertx.core.json.JsonArray;
import java.util.ArrayList;
import java.util.List;

/** Backends as configuration text. Thread: any. */
final class Hocon {

  private Hocon() {}

  /** A backend that listens on a port of loopback. */
  static String http(String name, int port) {
    return "backends.%s { type = http, url = \"http://127.0.0.1:%d/mcp\" }%n".formatted(name, port);
  }

  /** A backend that is a Node.js child process. */
  static String stdio(String name, String script, Object... arguments) {
    List<String> command = new ArrayList<>(NodeProcess.command(script));
    List.of(arguments).forEach(argument -> command.add(argument.toString()));
    return stdio(name, command);
  }

  /** A backend that is a child process. */
  static String stdio(String name, List<String> command) {
    return "backends.%s { type = stdio, command = %s }%n"
        .formatted(name, new JsonArray(command).encode());
  }
}
