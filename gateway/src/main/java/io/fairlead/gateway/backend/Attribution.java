package io.fairlead.gateway.backend;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.observe.Metrics;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Methods;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Says which call a child means with a message that names none. A child of one session means the
 * call that came last. One that serves several may mean anybody's, and a guess would show one
 * client what is another's: it means a call only while that is the only one in flight, and if
 * nobody but its principal has ever called this child.
 *
 * <p>Thread: owner loop. Owner: {@link StdioChild}.
 */
final class Attribution {
  private final boolean shared;
  private final Metrics metrics;
  private final Map<Correlation.Pending, StdioLink> linkOfCall = new HashMap<>();

  /** Those of them that a client waits for. */
  private final Set<Correlation.Pending> ofClients = new LinkedHashSet<>();

  private Optional<Principal> caller = Optional.empty();
  private boolean severalCalled;

  /**
   * @param shared whether the child serves more than one session
   * @param metrics where it is counted what is given to nobody
   */
  Attribution(boolean shared, Metrics metrics) {
    this.shared = shared;
    this.metrics = metrics;
  }

  /** The child was given a call. */
  void began(Correlation.Pending call, StdioLink link, Principal asker) {
    linkOfCall.put(call, link);
    switch (call.method()) {
      case Methods.TOOLS_LIST,
          Methods.PROMPTS_LIST,
          Methods.RESOURCES_LIST,
          Methods.TEMPLATES_LIST -> {
        // the gateway reads lists by itself, and answers its clients from what it read
      }
      case Methods.SET_LEVEL, Methods.RESOURCES_SUBSCRIBE, Methods.RESOURCES_UNSUBSCRIBE ->
          called(asker);
      default -> {
        called(asker);
        ofClients.add(call);
      }
    }
  }

  private void called(Principal asker) {
    severalCalled |= caller.isPresent() && !caller.get().equals(asker);
    caller = Optional.of(asker);
  }

  /** A call has ended, however. */
  void ended(Correlation.Pending call) {
    linkOfCall.remove(call);
    ofClients.remove(call);
  }

  int inFlight() {
    return linkOfCall.size();
  }

  StdioLink linkOf(Correlation.Pending call) {
    return linkOfCall.get(call);
  }

  /** The call that the child means; {@code latest} is the one that came last. */
  Optional<Correlation.Pending> meant(Optional<Correlation.Pending> latest) {
    if (!shared) {
      return latest;
    }
    return severalCalled || ofClients.size() != 1
        ? Optional.empty()
        : Optional.of(ofClients.iterator().next());
  }

  /** Whether a message that means no call may be given to no session. */
  boolean isShared() {
    return shared;
  }

  /** Such a message was given to nobody; of a ping nobody misses anything. */
  void withheld(Envelope message) {
    if (!message.method().equals(Methods.PING)) {
      metrics.count("unattributed");
    }
  }
}
