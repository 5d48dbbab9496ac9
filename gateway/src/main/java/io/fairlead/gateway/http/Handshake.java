package io.fairlead.gateway.http;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.route.View;
import io.fairlead.gateway.session.HeapGuard;
import io.fairlead.gateway.session.Readiness;
import io.fairlead.gateway.session.Services;
import io.fairlead.gateway.session.Session;
import io.fairlead.gateway.session.Sessions;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeEdit;
import io.fairlead.wire.Headers;
import io.fairlead.wire.Json;
import io.fairlead.wire.Revision;
import io.fairlead.wire.RpcId;
import io.fairlead.wire.Span;
import io.fairlead.wire.SseWriter;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Answers {@code initialize}: negotiates the revision, waits for the backends, and opens a session.
 * Whatever ends it early leaves nothing behind.
 *
 * <p>Source: MCP 2025-11-25, basic/lifecycle, "Initialization". Thread: owner loop.
 */
final class Handshake {
  /**
   * What is kept of one client for its backends: far more than any says of itself, icons included.
   */
  private static final int MAX_PARAMS = 64 * 1024;

  private final Services services;
  private final Sessions sessions;
  private final Readiness readiness;
  private final HeapGuard heap;

  Handshake(Services services, Sessions sessions, Readiness readiness, HeapGuard heap) {
    this.services = services;
    this.sessions = sessions;
    this.readiness = readiness;
    this.heap = heap;
  }

  void start(HttpReply reply, RequestHeaders headers, Envelope request, Session.Start start) {
    RpcId id = request.id().orElseThrow();
    Optional<View> view = services.view(start.endpoint());
    if (view.isEmpty()) {
      reply.refuse(Refusals.pathUnknown(), Optional.of(id));
      return;
    }
    if (services.config().sessions().stateful() && heap.isFull()) {
      reply.refuse(Refusals.overloaded("limits.heap"), Optional.of(id));
      return;
    }
    if (!sessions.beginHandshake()) {
      reply.refuse(Refusals.overloaded("sessions.max-pending-handshakes"), Optional.of(id));
      return;
    }
    InProgress handshake = new InProgress(reply);
    handshake.waitsFor(
        readiness.await(
            view.get(),
            up -> {
              if (handshake.end()) {
                answer(reply, headers, id, start, up);
              }
            }));
  }

  /**
   * What to keep of an {@code initialize}, or empty if its params are malformed.
   *
   * @throws Refused if it is too much
   */
  static Optional<Session.Start> read(Envelope request, Principal principal, String endpoint) {
    byte[] bytes = request.bytes();
    Optional<Span> params = request.params();
    if (params.filter(span -> span.length() > MAX_PARAMS).isPresent()) {
      throw new Refused(SessionRefusals.initializeTooLarge(MAX_PARAMS));
    }
    Optional<Span> version = params.flatMap(span -> Json.member(bytes, span, "protocolVersion"));
    Optional<String> asked = version.flatMap(span -> Json.string(bytes, span));
    if (asked.isEmpty()
        || !isObject(bytes, params, "capabilities")
        || !isObject(bytes, params, "clientInfo")) {
      return Optional.empty();
    }
    Revision revision = Revision.negotiate(asked.get());
    byte[] own = Json.copy(bytes, params.orElseThrow());
    Span there = Json.member(own, new Span(0, own.length), "protocolVersion").orElseThrow();
    byte[] told = EnvelopeEdit.of(own).replace(there, Json.quote(revision.text())).bytes();
    return Optional.of(new Session.Start(principal, endpoint, revision, told));
  }

  private static boolean isObject(byte[] bytes, Optional<Span> params, String key) {
    return params
        .flatMap(span -> Json.member(bytes, span, key))
        .filter(span -> bytes[span.start()] == '{')
        .isPresent();
  }

  private void answer(
      HttpReply reply, RequestHeaders headers, RpcId id, Session.Start start, boolean up) {
    Optional<View> view = services.view(start.endpoint());
    if (!up || view.isEmpty()) {
      reply.refuse(SessionRefusals.backendUnavailable(), Optional.of(id));
      return;
    }
    byte[] answer = Json.result(id, result(view.get(), start.revision()));
    if (!services.config().sessions().stateful()) {
      send(reply, headers, answer);
      return;
    }
    sessions
        .open(start)
        .fold(
            session -> {
              reply.log().session(session.id());
              reply.response().putHeader(Headers.SESSION, session.id());
              return send(reply, headers, answer)
                  .onFailure(gone -> sessions.close(session, "handshake_failed"));
            },
            limit -> {
              reply.refuse(Refusals.overloaded(limit), Optional.of(id));
              return Future.succeededFuture();
            });
  }

  private static Future<Void> send(HttpReply reply, RequestHeaders headers, byte[] answer) {
    if (headers.accept().json()) {
      return reply.json(200, answer);
    }
    reply.response().putHeader("Content-Type", Headers.SSE);
    reply.response().putHeader("Cache-Control", "no-store, no-transform");
    reply.response().putHeader("X-Accel-Buffering", "no");
    return reply
        .outflow()
        .end(SseWriter.event("", answer))
        .onComplete(sent -> reply.ended(sent.succeeded() ? 200 : 0));
  }

  private byte[] result(View view, Revision revision) {
    JsonObject result =
        new JsonObject()
            .put("protocolVersion", revision.text())
            .put("capabilities", capabilities(view))
            .put("serverInfo", view.serverInfo());
    view.instructions().ifPresent(text -> result.put("instructions", text));
    return result.encode().getBytes(StandardCharsets.UTF_8);
  }

  /** Without sessions nobody can be told of anything later. */
  private JsonObject capabilities(View view) {
    JsonObject all = view.capabilities().copy();
    if (!services.config().sessions().stateful()) {
      all.remove("logging");
      for (String member : all.fieldNames()) {
        if (all.getValue(member) instanceof JsonObject capability) {
          capability.remove("listChanged");
          capability.remove("subscribe");
        }
      }
    }
    return all;
  }

  /** A handshake that holds a slot until its backends are there or its client is gone. */
  private final class InProgress {
    private Readiness.Wait wait = Readiness.Wait.OVER;
    private boolean ended;

    InProgress(HttpReply reply) {
      reply
          .response()
          .closeHandler(
              gone -> {
                end();
                reply.ended(0);
              })
          .exceptionHandler(failure -> {});
    }

    void waitsFor(Readiness.Wait begun) {
      wait = begun;
    }

    /** Frees the slot. False if it was free before. */
    boolean end() {
      if (ended) {
        return false;
      }
      ended = true;
      wait.cancel();
      sessions.endHandshake();
      return true;
    }
  }
}
