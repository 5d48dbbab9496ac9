package io.fairlead.client;

import io.fairlead.wire.Envelope;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One conversation with a server over Streamable HTTP: many calls in parallel, each dispatched at
 * most once and resumed after cuts, one standalone stream, and a session that is proven and renewed
 * when it is in doubt.
 *
 * <p>Thread: the loop on which it was opened; futures complete there, listeners are called there.
 * Owner: whoever opened it.
 */
public final class HttpLink {
  /** Receives what belongs to no call. Called on the owner loop; nothing after a close. */
  public interface Listener {
    /** A notification or request of the server. */
    void message(Envelope message);

    /** The server had lost the session and gave a new one: what it knew of the old one is gone. */
    default void renewed(byte[] initializeResult) {}

    /** The server refuses a new session; calls in flight were told before. Terminal. */
    void closed(String reason);
  }

  private final HttpTransport transport;
  private final Listener listener;
  private final Conversation conversation;
  private final Set<Dispatch> calls = new LinkedHashSet<>();
  private byte[] initializeResult;
  private StandaloneStream standalone;
  private Optional<InstanceMonitor> monitor = Optional.empty();
  private boolean paused;
  private boolean closed;

  private HttpLink(
      HttpTransport transport, Handshake handshake, Handshake.Opened opened, Listener listener) {
    this.transport = transport;
    this.listener = listener;
    this.initializeResult = opened.result();
    this.conversation = new Conversation(transport, handshake, opened.session(), new Sessions());
    this.standalone = listen(opened.session());
  }

  /**
   * Does the handshake, then listens to the standalone stream in the background.
   *
   * @param initializeParams the JSON object to send as params of {@code initialize}
   * @return completes on the caller's loop in bounded time; fails with a {@link LinkFailure}
   */
  public static Future<HttpLink> open(
      HttpTransport transport, byte[] initializeParams, Listener listener) {
    Handshake handshake = new Handshake(transport, initializeParams);
    return handshake.run().map(opened -> new HttpLink(transport, handshake, opened, listener));
  }

  /** Watches from now on whether the server is still the one that has the calls. */
  public void monitor(Probing probing) {
    conversation.assertOwner();
    if (!closed) {
      monitor.ifPresent(InstanceMonitor::close);
      monitor =
          Optional.of(
              new InstanceMonitor(
                  transport, conversation, probing, () -> !calls.isEmpty(), this::gone));
    }
  }

  private void gone(Session session) {
    List.copyOf(calls)
        .forEach(call -> call.instanceLost(session, "The server that had the call is gone."));
  }

  private StandaloneStream listen(Session session) {
    StandaloneStream stream =
        new StandaloneStream(transport, conversation, session, listener::message);
    if (paused) {
      stream.pause();
    }
    stream.open();
    return stream;
  }

  /** The latest {@code InitializeResult}: a JSON object. */
  public byte[] initializeResult() {
    return initializeResult;
  }

  /** Sends one request, at most once; nothing is told before this has returned. */
  public Dispatch call(CallRequest request, DispatchListener listener) {
    conversation.assertOwner();
    Dispatch call = new Dispatch(transport, conversation, request, listener, calls::remove);
    calls.add(call);
    monitor.ifPresent(InstanceMonitor::called);
    call.start();
    return call;
  }

  /**
   * Sends a notification or an answer.
   *
   * @return completes when the server has accepted it; fails if it did not
   */
  public Future<Void> post(byte[] message) {
    conversation.assertOwner();
    Outgoing post = Outgoing.post(conversation.session(), Map.of(), message, false);
    return Roundtrip.send(transport, post, Optional.empty(), transport.timing().write())
        .compose(reply -> accepted(reply.status()), this::unposted);
  }

  private Future<Void> accepted(int status) {
    if (status / 100 == 2) {
      return Future.succeededFuture();
    }
    return unposted(LinkFailure.unavailable("The backend refused a message: status=" + status));
  }

  private Future<Void> unposted(Throwable cause) {
    conversation.doubt();
    return Future.failedFuture(cause);
  }

  /** Stops reading what belongs to no call; what is under way still arrives. */
  public void pause() {
    conversation.assertOwner();
    paused = true;
    standalone.pause();
  }

  public void resume() {
    conversation.assertOwner();
    paused = false;
    standalone.resume();
  }

  /** Calls that were handed over and have not ended. */
  public int calls() {
    return calls.size();
  }

  /**
   * Cancels every call without a terminal call to its listener, and ends the session. Idempotent;
   * completes in bounded time, whatever the server does.
   */
  public Future<Void> close() {
    conversation.assertOwner();
    if (closed) {
      return Future.succeededFuture();
    }
    end();
    List<Future<Void>> goodbyes = new ArrayList<>();
    List.copyOf(calls).forEach(call -> goodbyes.add(call.cancelled("the link was closed")));
    if (conversation.session().hasId()) {
      Outgoing delete = Outgoing.delete(conversation.session());
      goodbyes.add(
          Roundtrip.send(transport, delete, Optional.empty(), transport.timing().close())
              .<Void>mapEmpty()
              .otherwiseEmpty());
    }
    return Future.join(goodbyes).mapEmpty();
  }

  private void end() {
    closed = true;
    conversation.close();
    standalone.close();
    monitor.ifPresent(InstanceMonitor::close);
  }

  /** Follows the session. */
  private final class Sessions implements Conversation.Listener {
    @Override
    public void lost(Session session, String what) {
      List.copyOf(calls).forEach(call -> call.sessionLost(session, what));
    }

    @Override
    public void renewed(Session session, byte[] result) {
      initializeResult = result;
      standalone.close();
      standalone = listen(session);
      listener.renewed(result);
    }

    @Override
    public void refused(LinkFailure failure) {
      end();
      List.copyOf(calls).forEach(call -> call.linkLost(failure.getMessage()));
      listener.closed(failure.getMessage());
    }
  }
}
