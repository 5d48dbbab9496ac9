package io.fairlead.gateway.http;

import io.fairlead.gateway.observe.Exchange;
import io.fairlead.gateway.observe.Metrics;
import io.fairlead.wire.Headers;
import io.fairlead.wire.RpcId;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer to one HTTP request: the one place where a refusal becomes a status and a body and is
 * counted, and where the exchange's log line ends.
 *
 * <p>Thread: owner loop. Owner: the exchange.
 */
final class HttpReply {
  private static final Logger LOG = LoggerFactory.getLogger(HttpReply.class);

  /** Of credentials that are good for longer than anybody waits: no clock counts their years. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Exchange log;
  private final UnreadBody unread;
  private final Metrics metrics;
  private final UnsentAnswers unsent;
  private final Outflow outflow;
  private Optional<Long> expiry = Optional.empty();

  HttpReply(
      HttpServerRequest request,
      Exchange log,
      UnreadBody unread,
      Metrics metrics,
      UnsentAnswers unsent) {
    this.request = request;
    this.response = request.response();
    this.log = log;
    this.unread = unread;
    this.metrics = metrics;
    this.unsent = unsent;
    this.outflow = new Outflow(response, unsent, this::giveUp);
  }

  HttpServerRequest request() {
    return request;
  }

  HttpServerResponse response() {
    return response;
  }

  Exchange log() {
    return log;
  }

  /** The credentials of this exchange are good for so long from now. */
  void expiresAfter(Duration validFor) {
    Duration counted = validFor.compareTo(LONGEST) < 0 ? validFor : LONGEST;
    expiry = Optional.of(System.nanoTime() + counted.toNanos());
  }

  /** How long a stream may be sent: as long as who reads it is known, at most {@code limit}. */
  Optional<Duration> lifetime(Optional<Duration> limit) {
    Optional<Duration> left = expiry.map(at -> Duration.ofNanos(at - System.nanoTime()));
    return left.filter(valid -> limit.filter(max -> max.compareTo(valid) < 0).isEmpty())
        .or(() -> limit);
  }

  /** Whether the credentials of this exchange are good no more. */
  boolean hasExpired() {
    return expiry.filter(at -> at - System.nanoTime() <= 0).isPresent();
  }

  /** Runs a step of the exchange; whatever it throws becomes one refusal. */
  void guard(Runnable step) {
    try {
      step.run();
    } catch (Refused refused) {
      refuse(refused.refusal());
    } catch (RuntimeException fault) {
      LOG.error("exchange={} failed", log.number(), fault);
      refuse(Refusals.internal());
    }
  }

  /** Answers with the refusal's status and a JSON-RPC error. */
  void refuse(Refusal refusal, Optional<RpcId> id) {
    count(refusal);
    refusal.headers().forEach(response::putHeader);
    boolean closes = UnreadBody.closesAfter(request, refusal);
    if (request.version() == HttpVersion.HTTP_2) {
      // no header of HTTP/2, where the stream ends alone: RFC 9113, section 8.2.2
      response.headers().remove(Refusal.CONNECTION);
    } else if (closes) {
      response.putHeader(Refusal.CONNECTION, Refusal.CLOSE);
    }
    json(refusal.status(), refusal.error().toMessage(id));
    unread.leave(request, closes);
  }

  /** Notes a refusal that is answered as a part of something else. */
  void count(Refusal refusal) {
    log.refused(refusal.reason());
    metrics.refused(refusal.counted());
  }

  void refuse(Refusal refusal) {
    refuse(refusal, Optional.empty());
  }

  /** Answers with a JSON body; fails if the client was gone before it was written. */
  Future<Void> json(int status, byte[] body) {
    if (response.ended() || response.closed()) {
      ended(0);
      return Future.failedFuture("the client is gone");
    }
    response
        .setStatusCode(status)
        .putHeader("Content-Type", Headers.JSON)
        .putHeader("Content-Length", Integer.toString(body.length));
    return finish(status, outflow.end(body));
  }

  /** What it has yet to send of what is no plain answer. */
  Outflow outflow() {
    return outflow;
  }

  /** So many bytes of one response may wait to be sent; what waits beyond it waits elsewhere. */
  long share() {
    return unsent.share();
  }

  /** Answers without a body. */
  void empty(int status) {
    if (!response.ended() && !response.closed()) {
      response.setStatusCode(status);
      finish(status, response.end());
    }
  }

  private Future<Void> finish(int status, Future<Void> written) {
    return written.onComplete(result -> ended(result.succeeded() ? status : 0));
  }

  /** The exchange is over; writes its log line once. */
  void ended(int status) {
    log.end(status);
  }

  /** Ends the exchange of a client that does not read. */
  private void giveUp() {
    log.leg(Exchange.Leg.CUT);
    Connections.cut(request);
  }
}
