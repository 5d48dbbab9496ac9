package io.fairlead.gateway.route;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.backend.BackendFailure;
import io.fairlead.gateway.backend.CallListener;
import io.fairlead.gateway.backend.Link;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.Json;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.RpcError;
import io.fairlead.wire.Span;
import io.fairlead.wire.WireLimits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads one list through a link, following all its pages: at most {@value #MAX_PAGES} pages,
 * {@value #MAX_ITEMS} items, {@value #MAX_BYTES} bytes, and 30 s. A list that is not read to its
 * end is not read at all.
 *
 * <p>Thread: owner loop. Owner: whoever began it.
 */
public final class Listing {
  static final int MAX_PAGES = 256;
  static final int MAX_ITEMS = 10_000;
  static final int MAX_BYTES = 16 * 1024 * 1024;
  private static final int MAX_CURSOR = 8 * 1024;
  private static final WireLimits LIMITS = new WireLimits(8, 8, 8, 64);

  private final Vertx vertx;
  private final Link link;
  private final ListKind kind;
  private final Principal asker;
  private final Consumer<Envelope> messages;
  private final Promise<List<Item>> promise = Promise.promise();
  private final List<Item> items = new ArrayList<>();
  private final Set<String> cursors = new HashSet<>();
  private final long timer;
  private Optional<Link.Dispatched> call = Optional.empty();
  private int pages;
  private long bytes;

  private Listing(
      Vertx vertx,
      Link link,
      ListKind kind,
      Principal asker,
      Consumer<Envelope> messages,
      long millis) {
    this.vertx = vertx;
    this.link = link;
    this.kind = kind;
    this.asker = asker;
    this.messages = messages;
    this.timer = vertx.setTimer(millis, id -> giveUp("it took longer than millis=" + millis));
  }

  /**
   * Starts to read.
   *
   * @param messages gets what the backend says on the way: notifications, and requests that wait
   *     for an answer
   */
  public static Listing begin(
      Vertx vertx, Link link, ListKind kind, Principal asker, Consumer<Envelope> messages) {
    return begin(vertx, link, kind, asker, messages, Pace.USUAL.readMillis());
  }

  static Listing begin(
      Vertx vertx,
      Link link,
      ListKind kind,
      Principal asker,
      Consumer<Envelope> messages,
      long millis) {
    Listing listing = new Listing(vertx, link, kind, asker, messages, millis);
    listing.ask("{}");
    return listing;
  }

  /**
   * All items of all pages, in order; none if the backend does not know the method. Completes on
   * the owner loop in bounded time; fails with a {@link BackendFailure}.
   */
  public Future<List<Item>> items() {
    return promise.future();
  }

  /** Gives up: {@link #items()} fails. Idempotent; without effect once it has completed. */
  public void cancel() {
    giveUp("it is not needed any more");
  }

  private void ask(String params) {
    String request =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
            .formatted(kind.method(), params);
    try {
      Envelope envelope = new EnvelopeReader(LIMITS).read(request.getBytes(StandardCharsets.UTF_8));
      pages++;
      call = Optional.of(link.call(envelope, asker, new Answers()));
    } catch (MalformedMessage e) {
      throw new IllegalStateException("a request of our own is malformed: " + kind.method(), e);
    }
  }

  private void add(Envelope page) {
    byte[] message = page.bytes();
    bytes += message.length;
    Optional<Span> list = page.result().flatMap(at -> Json.member(message, at, kind.member()));
    if (list.isEmpty() || message[list.get().start()] != '[') {
      fail("malformed", "the result has no array " + kind.member());
      return;
    }
    List<Span> elements = Json.elements(message, list.get());
    if (bytes > MAX_BYTES || items.size() + elements.size() > MAX_ITEMS) {
      fail("too_large", "more than bytes=" + MAX_BYTES + " or items=" + MAX_ITEMS);
      return;
    }
    for (Span element : elements) {
      Item.of(kind, message, element).ifPresent(items::add);
    }
    goOn(message, page.result().flatMap(at -> Json.member(message, at, "nextCursor")));
  }

  /** Asks for the next page, if there is one. */
  private void goOn(byte[] message, Optional<Span> next) {
    // some servers say null or an empty string where they mean that there is no more
    Optional<String> cursor = next.flatMap(span -> Json.string(message, span));
    if (cursor.map(String::isEmpty).orElse(true)) {
      succeed(List.copyOf(items));
    } else if (!cursors.add(cursor.get())) {
      fail("malformed", "a cursor came twice at page=" + pages);
    } else if (pages >= MAX_PAGES || next.get().length() > MAX_CURSOR) {
      fail("too_large", "more than pages=" + MAX_PAGES + " or cursor bytes=" + MAX_CURSOR);
    } else {
      // the cursor goes back in the very bytes in which it came
      String same = new String(Json.copy(message, next.get()), StandardCharsets.UTF_8);
      ask("{\"cursor\":" + same + "}");
    }
  }

  private void refused(Envelope error) {
    byte[] message = error.bytes();
    String code =
        error
            .error()
            .flatMap(at -> Json.member(message, at, "code"))
            .map(span -> new String(Json.copy(message, span), StandardCharsets.UTF_8))
            .orElse("none");
    if (code.equals(Integer.toString(RpcError.METHOD_NOT_FOUND))) {
      succeed(List.of());
    } else {
      fail("backend_error", "the backend answered with error code=" + code);
    }
  }

  private void giveUp(String why) {
    if (!promise.future().isComplete()) {
      call.ifPresent(dispatched -> dispatched.cancel("the gateway stopped reading a list"));
      fail("backend_unavailable", why);
    }
  }

  private void succeed(List<Item> all) {
    vertx.cancelTimer(timer);
    promise.tryComplete(all);
  }

  private void fail(String reason, String why) {
    vertx.cancelTimer(timer);
    promise.tryFail(new BackendFailure(reason, kind.method() + " could not be read: " + why));
  }

  /** Hears of one page. */
  private final class Answers implements CallListener {

    @Override
    public void message(Envelope message) {
      messages.accept(message);
    }

    @Override
    public void answer(Envelope response) {
      if (response.kind() == Envelope.Kind.RESULT) {
        add(response);
      } else {
        refused(response);
      }
    }

    @Override
    public void lost(Outcome outcome) {
      fail(outcome.reason(), "no answer can come");
    }
  }
}
