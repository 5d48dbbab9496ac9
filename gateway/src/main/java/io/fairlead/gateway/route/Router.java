package io.fairlead.gateway.route;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeEdit;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.Json;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcError;
import io.fairlead.wire.Span;
import java.util.Optional;
import java.util.Set;

/**
 * Decides where a request goes: to the gateway itself, to one backend, or to all of a session.
 *
 * <p>Thread: owner loop.
 */
public final class Router {
  private static final Set<String> LEVELS =
      Set.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

  private final EnvelopeReader reader;

  /**
   * @param reader reads requests again after a name in them was replaced
   */
  public Router(EnvelopeReader reader) {
    this.reader = reader;
  }

  /** The way of {@code request}, which is not initialize, among what {@code view} offers. */
  public Route route(View view, Envelope request) {
    return switch (request.method()) {
      case Methods.PING -> new Route.Local(Answers.EMPTY);
      case Methods.TOOLS_LIST -> list(ListKind.TOOLS, request);
      case Methods.PROMPTS_LIST -> list(ListKind.PROMPTS, request);
      case Methods.RESOURCES_LIST -> list(ListKind.RESOURCES, request);
      case Methods.TEMPLATES_LIST -> list(ListKind.TEMPLATES, request);
      case Methods.SET_LEVEL -> level(request);
      case Methods.TOOLS_CALL -> named(view, ListKind.TOOLS, request);
      case Methods.PROMPTS_GET -> named(view, ListKind.PROMPTS, request);
      case Methods.RESOURCES_READ, Methods.RESOURCES_SUBSCRIBE, Methods.RESOURCES_UNSUBSCRIBE ->
          named(view, ListKind.RESOURCES, request);
      case Methods.COMPLETE -> named(view, completes(request), request);
      default -> other(view, request);
    };
  }

  private static Route list(ListKind kind, Envelope request) {
    if (param(request, "cursor").isPresent()) {
      return refused(
          RpcError.INVALID_PARAMS, "malformed", "cursor is not one of ours: lists have one page");
    }
    return new Route.Listed(kind);
  }

  private static Route level(Envelope request) {
    Optional<String> level =
        param(request, "level").flatMap(span -> Json.string(request.bytes(), span));
    return level.isPresent() && LEVELS.contains(level.get())
        ? new Route.Level(level.get())
        : refused(RpcError.INVALID_PARAMS, "malformed", "params.level must be a level of RFC 5424");
  }

  private static ListKind completes(Envelope request) {
    byte[] bytes = request.bytes();
    return param(request, "ref")
            .flatMap(ref -> Json.member(bytes, ref, "type"))
            .flatMap(type -> Json.string(bytes, type))
            .filter("ref/resource"::equals)
            .isPresent()
        ? ListKind.TEMPLATES
        : ListKind.PROMPTS;
  }

  private Route named(View view, ListKind kind, Envelope request) {
    Optional<String> name = request.name();
    if (name.isEmpty()) {
      return refused(
          RpcError.INVALID_PARAMS,
          "malformed",
          request.method() + " needs the string params." + place(request.method()));
    }
    return view.find(kind, name.get())
        .map(target -> forward(target, request, name.get()))
        .orElseGet(() -> unknown(kind));
  }

  private static String place(String method) {
    return switch (method) {
      case Methods.TOOLS_CALL, Methods.PROMPTS_GET -> "name";
      case Methods.COMPLETE -> "ref.name or params.ref.uri";
      default -> "uri";
    };
  }

  private static Route unknown(ListKind kind) {
    return switch (kind) {
      case TOOLS -> refused(RpcError.INVALID_PARAMS, "unknown_name", "Unknown tool");
      case PROMPTS -> refused(RpcError.INVALID_PARAMS, "unknown_name", "Unknown prompt");
      case RESOURCES, TEMPLATES ->
          refused(RpcError.RESOURCE_NOT_FOUND, "unknown_name", "Resource not found");
    };
  }

  private Route forward(Target target, Envelope request, String name) {
    if (target.name().equals(name)) {
      return new Route.Forward(target.backend(), request);
    }
    byte[] edited =
        EnvelopeEdit.of(request.bytes())
            .replace(request.nameSpan().orElseThrow(), Json.quote(target.name()))
            .bytes();
    try {
      return new Route.Forward(target.backend(), reader.read(edited));
    } catch (MalformedMessage impossible) {
      throw new IllegalStateException("a name was replaced and broke its message", impossible);
    }
  }

  /** A method that this page does not know goes on if there is one backend that may know it. */
  private static Route other(View view, Envelope request) {
    return view.backends().size() == 1
        ? new Route.Forward(view.backends().get(0), request)
        : refused(RpcError.METHOD_NOT_FOUND, "unknown_method", "Method not found");
  }

  private static Optional<Span> param(Envelope request, String key) {
    return request.params().flatMap(params -> Json.member(request.bytes(), params, key));
  }

  private static Route refused(int code, String reason, String text) {
    return new Route.Refused(RpcError.of(code, reason, text));
  }
}
