package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.observe.Metrics;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeEdit;
import io.fairlead.wire.Json;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The calls in flight on one conversation with a backend: gives each request the gateway's own id
 * (and the same number as its progress token, if the client sent one), and maps back what the
 * backend says. Every byte besides id and token stays as it was.
 *
 * <p>Thread: owner loop. Owner: the link, or the child process that several links share.
 */
public final class Correlation {
  private final Map<RpcId, Pending> byId = new HashMap<>();
  private final TreeMap<Long, Pending> inOrder = new TreeMap<>();
  private final Metrics metrics;
  private long lastNumber;

  /**
   * @param metrics where it is counted what belongs to no call in flight
   */
  public Correlation(Metrics metrics) {
    this.metrics = metrics;
  }

  /** Registers a request under the next number. The caller sends {@link Pending#takeRequest()}. */
  public Pending begin(Envelope request, CallListener listener) {
    Pending call = new Pending(++lastNumber, request, listener);
    byId.put(call.linkId, call);
    inOrder.put(call.number, call);
    return call;
  }

  /**
   * Gives an answer or a progress notification to its call, mapped back. One that belongs to no
   * call in flight (unknown, answered before, foreign, cancelled) is counted and dropped.
   *
   * @return false if it is another kind of message, which is then untouched
   */
  public boolean deliver(Envelope message) {
    if (message.isResponse()) {
      message
          .id()
          .map(byId::get)
          .ifPresentOrElse(call -> call.answer(message), () -> metrics.count("answers_ignored"));
      return true;
    }
    if (message.kind() == Envelope.Kind.NOTIFICATION && message.method().equals(Methods.PROGRESS)) {
      progress(message);
      return true;
    }
    return false;
  }

  private void progress(Envelope message) {
    Optional<Pending> call =
        message
            .progressToken()
            .map(span -> byId.get(RpcId.copyOf(message.bytes(), span)))
            .filter(found -> found.clientToken.isPresent());
    if (call.isEmpty()) {
      metrics.count("progress_dropped");
      return;
    }
    Pending found = call.get();
    found.listener.message(message.withProgressToken(found.clientToken.orElseThrow()));
  }

  /** The call in flight with this link-side id. */
  public Optional<Pending> find(RpcId linkId) {
    return Optional.ofNullable(byId.get(linkId));
  }

  /** The call that was begun last among those in flight. */
  public Optional<Pending> latest() {
    return Optional.ofNullable(inOrder.lastEntry()).map(Map.Entry::getValue);
  }

  /** The calls in flight, in the order in which they were begun. */
  public List<Pending> inFlight() {
    return List.copyOf(inOrder.values());
  }

  /** Ends every call in flight: no answer can come. */
  public void loseAll(Outcome outcome) {
    inFlight().forEach(call -> call.lost(outcome));
  }

  public int size() {
    return byId.size();
  }

  /**
   * One call in flight. Its terminal methods ({@link #answer}, {@link #lost}, {@link #cancel}) take
   * effect once; whatever comes after the first is without effect.
   */
  public final class Pending {
    private final long number;
    private final RpcId linkId;
    private final RpcId clientId;
    private final Optional<byte[]> clientToken;
    private final String method;
    private final CallListener listener;
    private byte[] request;

    private Pending(long number, Envelope request, CallListener listener) {
      this.number = number;
      this.linkId = RpcId.of(number);
      this.clientId = request.id().orElseThrow();
      this.clientToken = request.progressToken().map(span -> Json.copy(request.bytes(), span));
      this.method = request.method();
      this.listener = listener;
      this.request = edited(request);
    }

    private byte[] edited(Envelope message) {
      byte[] json = linkId.json();
      EnvelopeEdit edit =
          EnvelopeEdit.of(message.bytes()).replace(message.idSpan().orElseThrow(), json);
      message.progressToken().ifPresent(span -> edit.replace(span, json));
      return edit.bytes();
    }

    /** The bytes to send; given once, so that they are not held while the call runs. */
    public byte[] takeRequest() {
      byte[] taken = request;
      if (taken == null) {
        throw new IllegalStateException("the request was taken before; id=" + number);
      }
      request = null;
      return taken;
    }

    /** The id under which the backend knows the call. */
    public RpcId linkId() {
      return linkId;
    }

    /** The id under which the client knows the call. */
    public RpcId clientId() {
      return clientId;
    }

    public String method() {
      return method;
    }

    /** Whether the call is still in flight. */
    public boolean isOpen() {
      return byId.containsKey(linkId);
    }

    /** Gives the listener a message that belongs to this call and needs no mapping. */
    public void message(Envelope message) {
      if (isOpen()) {
        listener.message(message);
      }
    }

    /** Ends the call with the backend's answer, under the client's id. */
    public void answer(Envelope response) {
      if (end()) {
        listener.answer(response.withId(clientId));
      } else {
        metrics.count("answers_ignored");
      }
    }

    /** Ends the call without an answer. */
    public void lost(Outcome outcome) {
      if (end()) {
        listener.lost(outcome);
      }
    }

    /**
     * Ends the call without telling its listener.
     *
     * @return the {@code notifications/cancelled} to send; empty if the call had ended before
     */
    public Optional<byte[]> cancel(String reason) {
      return end() ? Optional.of(cancelled(reason)) : Optional.empty();
    }

    private byte[] cancelled(String reason) {
      String head =
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":";
      String quoted = new String(Json.quote(reason), UTF_8);
      return (head + number + ",\"reason\":" + quoted + "}}").getBytes(UTF_8);
    }

    private boolean end() {
      inOrder.remove(number);
      return byId.remove(linkId) != null;
    }
  }
}
