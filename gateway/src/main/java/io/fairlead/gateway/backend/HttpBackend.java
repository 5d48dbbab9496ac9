package io.fairlead.gateway.backend;

import io.fairlead.client.Credentials;
import io.fairlead.client.HttpLinkOptions;
import io.fairlead.client.HttpTransport;
import io.fairlead.client.LinkFailure;
import io.fairlead.client.Timing;
import io.fairlead.gateway.config.BackendConfig;
import io.fairlead.gateway.observe.Metrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A tool server that speaks Streamable HTTP. Each link has its own session there; the connections
 * are shared, which is sound because all links send the same credentials.
 *
 * <p>Thread: owner loop. Owner: the gateway's verticle.
 */
public final class HttpBackend implements Backend {
  /** A standalone stream for each session, and the calls; see limits.calls and sessions.max. */
  private static final int MAX_CONNECTIONS = 16_384;

  private final String name;
  private final BackendConfig.Http config;
  private final HttpTransport transport;
  private final Set<HttpBackendLink> links = new LinkedHashSet<>();
  private Metrics metrics = Metrics.none();
  private boolean closed;

  public HttpBackend(String name, BackendConfig.Http config, Vertx vertx) {
    this.name = name;
    this.config = config;
    this.transport =
        new HttpTransport(
            vertx,
            new HttpLinkOptions(
                URI.create(config.url()),
                Credentials.fixed(config.headers()),
                config.connectTimeout(),
                config.maxMessage(),
                MAX_CONNECTIONS,
                Timing.DEFAULT));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void observe(Metrics where) {
    metrics = where;
  }

  /** Links that are open. */
  public int links() {
    return links.size();
  }

  @Override
  public Future<Link> open(LinkRequest request) {
    if (closed) {
      return Future.failedFuture(failure("it was closed; open a new session"));
    }
    HttpBackendLink link =
        new HttpBackendLink(config.principalHeader(), request.listener(), metrics);
    return link.open(transport, request.initializeParams(), links::remove)
        .recover(cause -> Future.failedFuture(translated(cause)))
        .compose(opened -> admitted(link));
  }

  private Future<Link> admitted(HttpBackendLink link) {
    if (closed) {
      return link.close().transform(done -> Future.failedFuture(failure("it was closed")));
    }
    links.add(link);
    return Future.succeededFuture(link);
  }

  private BackendFailure translated(Throwable cause) {
    return cause instanceof LinkFailure refused
        ? new BackendFailure(refused.reason(), "backend=" + name + ": " + refused.getMessage())
        : failure("it could not be opened");
  }

  private BackendFailure failure(String text) {
    return new BackendFailure("backend_unavailable", "backend=" + name + ": " + text);
  }

  @Override
  public Future<Void> close() {
    closed = true;
    return Future.join(List.copyOf(links).stream().map(HttpBackendLink::closeAndTell).toList())
        .transform(done -> transport.close());
  }
}
