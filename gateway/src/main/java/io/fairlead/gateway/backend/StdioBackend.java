package io.fairlead.gateway.backend;

import io.fairlead.gateway.config.BackendConfig;
import io.fairlead.gateway.observe.Metrics;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tool server that runs as a child process: one child per link, or one for all links ({@code
 * scope = shared}, which is initialized once, with the params of whoever came first). The number of
 * children is capped, and a command that cannot start is not started in a tight loop.
 *
 * <p>Thread: owner loop. Owner: the gateway's verticle.
 */
public final class StdioBackend implements Backend {
  private static final Logger LOG = LoggerFactory.getLogger(StdioBackend.class);

  /** Characters that are kept of what a start failed with. */
  private static final int MAX_FAILURE = 500;

  private final String name;
  private final BackendConfig.Stdio config;
  private final Context owner;
  private final boolean sharesLinks;
  private final Backoff backoff = new Backoff();
  private final Set<StdioChild> children = new LinkedHashSet<>();
  private Optional<StdioChild> sharedChild = Optional.empty();

  /** Why no start is tried for a while. */
  private String lastFailure = "";

  private Metrics metrics = Metrics.none();
  private boolean closed;

  /**
   * @param owner the context on which every method is called and every listener is told
   * @param sharesLinks whether one link serves several clients, as in stateless mode
   */
  public StdioBackend(String name, BackendConfig.Stdio config, Context owner, boolean sharesLinks) {
    this.name = name;
    this.config = config;
    this.owner = owner;
    this.sharesLinks = sharesLinks;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void observe(Metrics where) {
    metrics = where;
  }

  /** Child processes that exist, those that are ending included. */
  public int children() {
    return children.size();
  }

  /** The most children that may exist. */
  public int childrenLimit() {
    return config.maxChildren();
  }

  @Override
  public Future<Link> open(LinkRequest request) {
    if (closed) {
      return refused("backend_unavailable", "it was closed; open a new session");
    }
    if (sharedChild.filter(StdioChild::isUsable).isPresent()) {
      return sharedChild.get().attach(request.listener()).map(link -> link);
    }
    Duration wait = backoff.remaining(System.nanoTime());
    if (!wait.isZero()) {
      String text = lastFailure + "; the next is tried in " + (wait.toMillis() + 1) + " ms";
      return Future.failedFuture(new BackendFailure("backend_unavailable", text));
    }
    if (children.size() >= config.maxChildren()) {
      return refused(
          "overloaded",
          String.format(
              "children=%d max-children=%d; close sessions, or raise backends.%s.max-children",
              children.size(), config.maxChildren(), name));
    }
    return spawn(request).attach(request.listener()).map(link -> link);
  }

  private StdioChild spawn(LinkRequest request) {
    Attribution attribution = new Attribution(config.shared() || sharesLinks, metrics);
    byte[] params = request.initializeParams();
    StdioChild child =
        new StdioChild(name, config, owner, params, new Correlation(metrics), attribution);
    children.add(child);
    if (config.shared()) {
      sharedChild = Optional.of(child);
    }
    child.gone().onComplete(gone -> children.remove(child));
    child.started().onComplete(started -> backoff.succeeded(), failure -> failed(child, failure));
    return child;
  }

  private void failed(StdioChild child, Throwable failure) {
    if (!closed) {
      LOG.warn("{}; with FAIRLEAD_LOG_LEVEL=DEBUG the log has its stderr", failure.getMessage());
    }
    long now = System.nanoTime();
    if (backoff.remaining(now).isZero()) {
      String text = String.valueOf(failure.getMessage());
      lastFailure = text.substring(0, Math.min(text.length(), MAX_FAILURE));
    }
    backoff.failed(now);
    child.close();
  }

  private Future<Link> refused(String reason, String text) {
    return Future.failedFuture(new BackendFailure(reason, "backend=" + name + ": " + text));
  }

  @Override
  public Future<Void> close() {
    closed = true;
    return Future.join(List.copyOf(children).stream().map(StdioChild::close).toList()).mapEmpty();
  }
}
