package io.fairlead.gateway.http;

import io.fairlead.wire.RpcError;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a client, or its operator, does about each refusal, error and outcome: the hand-written part
 * of {@code docs/reference-errors.md}.
 *
 * <p>Thread: any; immutable.
 */
final class ErrorAdvice {
  /** By section, by name of the method in {@link Refusals} or {@link SessionRefusals}. */
  static final Map<String, Map<String, String>> REFUSALS =
      ordered(
          "The HTTP request",
          ordered(
              "malformedTarget",
                  "Send the path alone in the request line; in it `%` is followed by two hexadecimal"
                      + " digits.",
              "malformedHost", "Send one Host header; a proxy must not add a second.",
              "malformedHeader", "Send no line ends or other control characters in it.",
              "duplicateHeader", "Send it once; look at proxies that add headers.",
              "hostForbidden", "The operator lists the name in `listen.allowed-hosts`.",
              "originForbidden",
                  "The operator lists the page's origin in `listen.allowed-origins`.",
              "pathUnknown",
                  "Correct the URL: `/mcp`, or `/mcp/<backend>` for a configured backend.",
              "methodNotAllowed",
                  "Use a method of `Allow`. On GET: there is no standalone stream in stateless"
                      + " mode; go on without it.",
              "notAcceptable",
                  "POST: accept `application/json`, `text/event-stream` or both (best); a batch:"
                      + " `application/json`. GET: accept `text/event-stream`.",
              "unsupportedMediaType", "Send `Content-Type: application/json`.",
              "unsupportedEncoding", "Send the body uncompressed.",
              "expectationFailed", "Leave the header out.",
              "unsupportedFraming", "Send `Content-Length`, or chunks.",
              "unreadable", "Speak HTTP/1.1; with TLS also HTTP/2.",
              "unsupportedHttpVersion",
                  "Speak HTTP/1.1; for HTTP/2 use `https`, if the operator has set `listen.tls`.",
              "lineTooLong", "Shorten the URL.",
              "headersTooLarge", "Send less; look at cookies, and at proxies that add headers.",
              "tooManyHeaders", "Send fewer; look at proxies that add headers.",
              "tooLarge", "Send less, or have the operator raise `limits.body`.",
              "tooSlow", "Send it again, faster; nothing was run."),
          "An embedding application",
          ordered(
              "wrongLoop",
                  "The request was not run. The application serves the router from the verticle that"
                      + " deployed the gateway, with one instance.",
              "sharedAddress",
                  "The request was not run. The application deploys the verticle with one instance, or"
                      + " has the gateways serve different paths or ports.",
              "bodyGone",
                  "The request was not run. The application mounts the gateway before any"
                      + " `BodyHandler`; handlers before it that wait pause the request.",
              "notLoopback",
                  "The request was not run. The operator sets `auth.mode`, or"
                      + " `auth.allow-anonymous = true`."),
          "Who asks",
          ordered(
              "unauthorized",
              "Get or refresh a token as `WWW-Authenticate` says, and send the request again: it"
                  + " was not run. The session lives on.",
              "insufficientScope",
              "Ask for a token with the scopes in `WWW-Authenticate`.",
              "tooManyFailures",
              "Correct the key or token; with a valid one the request is served at once. The"
                  + " operator finds the bound in `limits.failed-credentials`."),
          "Capacity",
          ordered(
              "overloaded",
                  "Wait for `Retry-After`, then send it again: it was not run. The operator finds"
                      + " the limit under its name in the configuration, or, where it is a part of"
                      + " the heap (`body_bytes`, `call_bytes`, `session_bytes`), gives the process more.",
              "draining",
                  "Wait for `Retry-After`, connect again, and send it again: it was not run."
                      + " Sessions do not outlive the gateway.",
              "resumedTooOften", "Stop: the stream has ended, and everything on it was delivered."),
          "Sessions and revisions",
          ordered(
              "sessionMissing",
                  "Send `initialize`, and its `Mcp-Session-Id` with all that follows.",
              "malformedSession", "Send the id exactly as `initialize` gave it.",
              "sessionUnknown",
                  "Send `initialize`, then this request again: `dispatched: false` proves that it"
                      + " was not run.",
              "alreadyInitialized", "Go on with the session; it is unharmed.",
              "malformedInitialize", "Send all three members; no session was opened.",
              "initializeTooLarge",
                  "Say less in `clientInfo` and `capabilities`: an icon as a link, not as its data.",
              "unsupportedVersion", "Send the version that `initialize` answered.",
              "versionMismatch", "Send the version that `initialize` answered.",
              "modern", "Speak one of the listed revisions: begin with `initialize`."),
          "Messages",
          ordered(
              "malformed",
              "Correct the message; nothing was run. The code is -32600 where it is JSON, but not"
                  + " one JSON-RPC message.",
              "batch",
              "Send the messages one by one.",
              "backendUnavailable",
              "Try again later; `/readyz` says what is down and why.",
              "internal",
              "Look into the gateway's log. Whether the request was run is not known: check before"
                  + " you send it again."),
          "Resuming",
          ordered(
              "malformedEvent", "Send the id exactly as it came.",
              "unknownEvent",
                  "Nothing can be resumed with this id. Go on with the session; a call whose answer"
                      + " is missing may have run.",
              "evicted",
                  "The answer is lost: the call ran, check what it did (by a call's number: unless it"
                      + " was sent with a notification, which has no answer). Go on with the session, and"
                      + " have the operator look at `events.*`."),
          "Call numbers",
          ordered(
              "malformedCallNumber", "Count from 1, in one header.",
              "numberedBatch", "Leave the header out, or send the calls one by one.",
              "notDispatched", "Send the call again, under a new number: it never ran.",
              "fenced", "Send the call again, under a new number: it never ran.",
              "duplicateCall", "Resume it: GET with `Last-Event-ID: c<number>-0`.",
              "forgotten", "Check what the call did before you send it again.",
              "numberForgotten",
                  "This request was not run. Check what an earlier one with its number did, if there"
                      + " was one, and go on with higher numbers."));

  /** By code and reason. */
  static final Map<String, String> ERRORS =
      ordered(
          "-32602 malformed", "The params lack something, or it has the wrong type; correct them.",
          "-32602 unknown_name",
              "No such tool or prompt. Read the list again; names may have changed with the"
                  + " backends.",
          "-32002 unknown_name", "No such resource. Read the list again.",
          "-32601 unknown_method",
              "Nobody here knows the method. With several backends only methods of the"
                  + " specification are routed; use `/mcp/<backend>` for one of its own.",
          "-32601 stateless", "Read the resource again from time to time: nobody is told of news.",
          "-32601 method_not_found", "The in-process backend does not know the method.",
          "-32602 invalid_params", "The in-process backend refuses the params; correct them.",
          "-32603 failed",
              "A handler of the in-process backend failed; the gateway's log says why.",
          "-32603 backend_unavailable",
              "The backend refused the request or the gateway's credentials; for its operator.",
          "-32603 overloaded",
              "The session has reached a bound of what it may hold; the text names it. Nothing was"
                  + " run.",
          "-32800 cancelled", "The client cancelled the request whose JSON answer it waited for.",
          "-32800 taken_over",
              "The client asked for the call on another connection, by its number; the answer comes"
                  + " there.");

  /** By state and reason. */
  static final Map<String, String> OUTCOMES =
      ordered(
          "not_dispatched backend_unavailable",
              "The backend cannot be reached, does not start, or is not configured any more. Call"
                  + " again; `/readyz` says what is wrong.",
          "not_dispatched backend_removed",
              "The backend left the configuration before the call was sent. Call again if it is"
                  + " still listed.",
          "not_dispatched backend_lost", "The link ended before the call was sent. Call again.",
          "not_dispatched overloaded",
              "The backend's connections, children (`max-children`), input or requests without a"
                  + " reply (`max-pending`) are full. Call again later.",
          "not_dispatched no_consumer",
              "Nobody in the application around the gateway is registered at the tool's event-bus"
                  + " address. Call again when it is; for the operator.",
          "not_dispatched session_unknown",
              "The backend refuses each new session of the gateway. Call again later; for its"
                  + " operator.",
          "not_dispatched session_closed", "The client's session ended before the call was sent.",
          "not_dispatched fenced",
              "The backend is a Fairlead, and it proves that the call never arrived there. Call"
                  + " again.",
          "not_dispatched malformed", "The backend cannot read the params of `initialize`.",
          "unknown backend_removed",
              "The backend left the configuration, and the call outlasted `shutdown.drain`. Check"
                  + " what it did before you call again.",
          "unknown backend_lost",
              "The child exited, or the connection broke and the backend cannot resume it. Check"
                  + " what the call did before you call again.",
          "unknown malformed", "The backend answered with something that is no message. As above.",
          "unknown too_large",
              "The answer is larger than the backend's `max-message`. As above; have the operator"
                  + " raise it.",
          "unknown call_timeout",
              "The operator's `call-timeout` has passed, and the backend was told to cancel. As"
                  + " above.",
          "unknown draining",
              "The gateway was stopped, and the call outlasted `shutdown.drain`. As above.",
          "completed_result_evicted evicted",
              "The call ran and answered, but the answer was not fetched before `events.*` made it"
                  + " give way. Check what it did; do not simply call again.");

  private static final Map<String, Object> SAMPLES =
      ordered(
          "duplicateHeader",
          "Origin",
          "methodNotAllowed",
          "GET, POST, DELETE, OPTIONS",
          "notAcceptable",
          "application/json or text/event-stream",
          "unauthorized",
          "Bearer ...",
          "insufficientScope",
          "Bearer error=\"insufficient_scope\", ...",
          "overloaded",
          "sessions.max",
          "tooLarge",
          4_194_304L,
          "tooManyHeaders",
          100L,
          "lineTooLong",
          4_096L,
          "headersTooLarge",
          16_384L,
          "tooSlow",
          Duration.ofSeconds(10),
          "tooManyFailures",
          Duration.ofSeconds(59),
          "initializeTooLarge",
          65_536L,
          "malformed",
          RpcError.of(RpcError.PARSE, "malformed", "What is wrong with the JSON, and where."));

  private ErrorAdvice() {}

  /** The names of everything that the front can refuse. */
  static Set<String> catalogue() {
    return methods().map(Method::getName).collect(Collectors.toCollection(TreeSet::new));
  }

  /** The refusal of this name, with arguments as they occur. */
  static Refusal sample(String name) {
    Method method =
        methods().filter(found -> found.getName().equals(name)).findFirst().orElseThrow();
    try {
      return (Refusal)
          (method.getParameterCount() == 0
              ? method.invoke(null)
              : method.invoke(null, SAMPLES.get(name)));
    } catch (ReflectiveOperationException failure) {
      throw new AssertionError(name, failure);
    }
  }

  private static Stream<Method> methods() {
    return Stream.of(Refusals.class, SessionRefusals.class)
        .flatMap(part -> Stream.of(part.getDeclaredMethods()))
        .filter(method -> Modifier.isPublic(method.getModifiers()));
  }

  @SuppressWarnings("unchecked")
  private static <T> Map<String, T> ordered(Object... pairs) {
    Map<String, T> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      if (map.put((String) pairs[i], (T) pairs[i + 1]) != null) {
        throw new IllegalArgumentException("twice: " + pairs[i]);
      }
    }
    return map;
  }
}
