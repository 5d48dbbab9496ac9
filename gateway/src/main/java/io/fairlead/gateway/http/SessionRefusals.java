package io.fairlead.gateway.http;

import static io.fairlead.gateway.http.Refusal.refusal;
import static io.fairlead.gateway.http.Refusals.MALFORMED;
import static io.fairlead.wire.RpcError.INTERNAL;
import static io.fairlead.wire.RpcError.INVALID_PARAMS;
import static io.fairlead.wire.RpcError.INVALID_REQUEST;
import static io.fairlead.wire.RpcError.SERVER;

import io.fairlead.wire.Headers;
import io.fairlead.wire.Revision;
import io.fairlead.wire.RpcError;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The part of the catalogue of {@link Refusals} that is about sessions: their revisions, messages,
 * streams and calls.
 *
 * <p>Thread: any; stateless.
 */
public final class SessionRefusals {
  private static final String REVISIONS =
      Arrays.stream(Revision.values()).map(Revision::text).collect(Collectors.joining(", "));

  private SessionRefusals() {}

  // Sessions and revisions

  public static Refusal sessionMissing() {
    return refusal(
        400,
        SERVER,
        "session_missing",
        "The header Mcp-Session-Id is required; send initialize first.");
  }

  public static Refusal malformedSession() {
    return refusal(
        400, INVALID_REQUEST, MALFORMED, "The header Mcp-Session-Id is not a session id.");
  }

  /** Unknown, expired, ended and foreign sessions alike; a proof that nothing ran. */
  public static Refusal sessionUnknown() {
    return refusal(
            404,
            RpcError.SESSION_UNKNOWN,
            "session_unknown",
            "Session not found: it has ended or never was; nothing was run. Send initialize for a"
                + " new one.")
        .with("dispatched", false);
  }

  public static Refusal alreadyInitialized() {
    return refusal(
        400,
        INVALID_REQUEST,
        "already_initialized",
        "This session is initialized already; send initialize without Mcp-Session-Id for another.");
  }

  public static Refusal malformedInitialize() {
    return refusal(
        400,
        INVALID_PARAMS,
        MALFORMED,
        "The params of initialize need protocolVersion, capabilities and clientInfo.");
  }

  /** What a client says of itself is kept for the backends as long as its session lives. */
  public static Refusal initializeTooLarge(long limit) {
    return refusal(
        413,
        SERVER,
        "too_large",
        "The params of initialize are larger than " + limit + " bytes; no session was opened.");
  }

  public static Refusal unsupportedVersion() {
    return refusal(
        400,
        SERVER,
        "unsupported_version",
        "The header MCP-Protocol-Version is not a supported version; supported: "
            + REVISIONS
            + ".");
  }

  public static Refusal versionMismatch() {
    return refusal(
        400,
        SERVER,
        "version_mismatch",
        "The header MCP-Protocol-Version is not the version that this session negotiated.");
  }

  /** A request of the stateless revision, which is not spoken yet. */
  public static Refusal modern() {
    return refusal(
        400,
        INVALID_REQUEST,
        "unsupported_version",
        "Revision "
            + Revision.MODERN
            + " is not spoken here; send initialize with one of "
            + REVISIONS
            + ".");
  }

  // Messages

  /** What the reader of envelopes found. */
  public static Refusal malformed(RpcError error) {
    return new Refusal(400, error, Map.of());
  }

  public static Refusal batch() {
    return refusal(
        400,
        INVALID_REQUEST,
        MALFORMED,
        "A batch is only read in sessions of revision 2025-03-26; send one message per POST.");
  }

  public static Refusal backendUnavailable() {
    return refusal(
        502,
        INTERNAL,
        "backend_unavailable",
        "No backend could be reached, so no session was opened; try again later.");
  }

  // Resuming

  public static Refusal malformedEvent() {
    return refusal(400, INVALID_REQUEST, MALFORMED, "The header Last-Event-ID is not an event id.");
  }

  /** Foreign, future and never issued ids alike. */
  public static Refusal unknownEvent() {
    return refusal(
        400,
        SERVER,
        "unknown_event",
        "This session has no stream with this Last-Event-ID; the session itself goes on.");
  }

  public static Refusal evicted() {
    return refusal(
        400,
        SERVER,
        "evicted",
        "The events after this Last-Event-ID are no longer held; the session itself goes on.");
  }

  // Call numbers (header Fairlead-Call)

  public static Refusal malformedCallNumber() {
    return refusal(
        400,
        INVALID_REQUEST,
        MALFORMED,
        "The header "
            + Headers.CALL
            + " must be one decimal from 1 to "
            + RequestHeaders.MAX_CALL
            + ".");
  }

  /** Its calls would run under a number of which a fence would say that nothing did. */
  public static Refusal numberedBatch() {
    return refusal(
        400,
        INVALID_REQUEST,
        MALFORMED,
        "The header " + Headers.CALL + " names one call, not a batch; nothing was run.");
  }

  /** A proof: the call was never dispatched and never will be. */
  public static Refusal notDispatched() {
    return refusal(
            400,
            SERVER,
            "not_dispatched",
            "The call with this number was not run and will not be; it may be sent again.")
        .with("dispatched", false);
  }

  public static Refusal fenced() {
    return refusal(
            409,
            SERVER,
            "fenced",
            "The call with this number was declared not dispatched before it arrived; it was not"
                + " run.")
        .with("dispatched", false);
  }

  /** The first POST with the number may well have run. */
  public static Refusal duplicateCall() {
    return refusal(
        409,
        SERVER,
        "duplicate_call",
        "A call with this number was received before; resume its stream instead.");
  }

  /** A POST with such a number: that it was not run says nothing of an earlier one. */
  public static Refusal numberForgotten() {
    return refusal(
        400,
        SERVER,
        "forgotten",
        "This call number is older than what is remembered, so this request was not run; whether an"
            + " earlier one with it ran is unknown.");
  }

  /** Nothing is known of the number any more. */
  public static Refusal forgotten() {
    return refusal(
        400,
        SERVER,
        "forgotten",
        "This call number is older than what is remembered; whether the call ran is unknown.");
  }
}
