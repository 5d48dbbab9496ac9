package io.fairlead.gateway.http;

import io.fairlead.gateway.auth.Authentication;
import io.fairlead.gateway.auth.Authentication.Denied;
import io.fairlead.gateway.auth.Authentication.Granted;
import io.fairlead.gateway.auth.FailedCredentials;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.config.HeapShare;
import io.fairlead.gateway.observe.AccessLog;
import io.fairlead.gateway.observe.Exchange;
import io.fairlead.gateway.session.Services;
import io.fairlead.gateway.session.Session;
import io.fairlead.gateway.session.Sessions;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The front for legacy clients: every request passes the guards in their fixed order, then goes to
 * the handler of its method. Whatever fails on the way becomes one refusal.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public final class McpEndpoint {
  private static final List<HttpMethod> STATEFUL =
      List.of(HttpMethod.GET, HttpMethod.POST, HttpMethod.DELETE, HttpMethod.OPTIONS);
  private static final List<HttpMethod> STATELESS = List.of(HttpMethod.POST, HttpMethod.OPTIONS);

  private final Services services;
  private final Sessions sessions;
  private final Guards guards;
  private final AccessLog accessLog;
  private final PostHandler posts;
  private final GetHandler gets;
  private final FailedCredentials failures;
  private final UnsentAnswers unsent;

  McpEndpoint(
      Services services,
      Sessions sessions,
      Guards guards,
      AccessLog accessLog,
      PostHandler posts,
      GetHandler gets,
      FailedCredentials failures) {
    this.services = services;
    this.sessions = sessions;
    this.guards = guards;
    this.accessLog = accessLog;
    this.posts = posts;
    this.gets = gets;
    this.failures = failures;
    this.unsent =
        new UnsentAnswers(
            services.loop(),
            () -> services.config().limits().slowReaderTimeout(),
            services.metrics(),
            HeapShare.bytes());
  }

  /**
   * Handles one request.
   *
   * @param endpoint the backend that it is for alone; empty for all
   */
  public void handle(HttpServerRequest request, String endpoint) {
    request.pause();
    HttpReply reply = reply(request, path(endpoint));
    reply.guard(() -> serve(reply, endpoint));
  }

  /** Refuses a request that no handler is for. */
  void refuse(HttpServerRequest request, Refusal refusal) {
    request.pause();
    guards.cors().decorate(request);
    reply(request, "other").refuse(refusal);
  }

  /** What waits for clients to read, for its gauge. */
  UnsentAnswers unsent() {
    return unsent;
  }

  private static String path(String endpoint) {
    return endpoint.isEmpty() ? "mcp" : "mcp/" + endpoint;
  }

  private HttpReply reply(HttpServerRequest request, String path) {
    String peer = request.remoteAddress() == null ? "" : request.remoteAddress().hostAddress();
    Exchange log = accessLog.begin(request.method().name(), path, peer);
    UnreadBody unread =
        new UnreadBody(services.loop().vertx(), services.config().limits().bodyTimeout());
    return new HttpReply(request, log, unread, services.metrics(), unsent);
  }

  private void serve(HttpReply reply, String endpoint) {
    HttpServerRequest request = reply.request();
    guards.cors().decorate(request);
    List<HttpMethod> methods = services.config().sessions().stateful() ? STATEFUL : STATELESS;
    if (!methods.contains(request.method())) {
      throw new Refused(Refusals.methodNotAllowed(allow(methods)));
    }
    guards
        .host()
        .check(request)
        .ifPresent(
            refusal -> {
              throw new Refused(refusal);
            });
    if (Cors.isPreflight(request)) {
      guards.cors().answerPreflight(request);
      reply.ended(204);
      return;
    }
    if (request.method() == HttpMethod.OPTIONS) {
      reply.response().putHeader("Allow", allow(methods));
      reply.empty(204);
      return;
    }
    guards
        .authenticator()
        .authenticate(request)
        .onSuccess(result -> reply.guard(() -> authenticated(reply, result, endpoint)));
  }

  private static String allow(List<HttpMethod> methods) {
    return methods.stream().map(HttpMethod::name).collect(Collectors.joining(", "));
  }

  private void authenticated(HttpReply reply, Authentication result, String endpoint) {
    if (reply.response().closed()) {
      reply.ended(0);
      return;
    }
    Granted granted = result.fold(Function.identity(), denied -> deny(reply.request(), denied));
    Principal principal = granted.principal();
    reply.log().principal(principal.issuer(), principal.subject());
    granted.validFor().ifPresent(reply::expiresAfter);
    HttpMethod method = reply.request().method();
    if (method == HttpMethod.POST) {
      posts.handle(reply, principal, endpoint);
    } else if (method == HttpMethod.GET) {
      gets.handle(reply, principal, endpoint);
    } else {
      delete(reply, principal, endpoint);
    }
  }

  private Granted deny(HttpServerRequest request, Denied denied) {
    if (denied.wrong()) {
      failures
          .note(PeerAddress.of(request.remoteAddress()))
          .ifPresent(
              wait -> {
                throw new Refused(Refusals.tooManyFailures(wait));
              });
    }
    throw new Refused(
        denied.insufficientScope()
            ? Refusals.insufficientScope(denied.challenge())
            : Refusals.unauthorized(denied.challenge()));
  }

  private void delete(HttpReply reply, Principal principal, String endpoint) {
    MultiMap sent = reply.request().headers();
    RequestHeaders headers = RequestHeaders.of(sent, Accept.of(sent));
    headers.checkVersion();
    Session session = GetHandler.require(sessions, reply, headers, principal, endpoint);
    sessions.close(session, "deleted");
    reply.empty(204);
  }
}
