package io.fairlead.gateway;

import java.lang.reflect.Proxy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes signals from the JVM. {@code sun.misc.Signal} is all there is for that; it is reached by
 * reflection because it is no part of the platform's API.
 *
 * <p>Thread: the action runs on a thread of the JVM's own.
 */
final class Signals {
  private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

  private Signals() {}

  /** Runs the action on each SIGTERM and SIGINT from now on, instead of what the JVM would do. */
  static void onNext(Runnable action) {
    on(List.of("TERM", "INT"), action);
  }

  /** Runs the action on each SIGHUP from now on; without effect under {@code nohup}. */
  static void onHangup(Runnable action) {
    on(List.of("HUP"), action);
  }

  private static void on(List<String> names, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object run =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                action.run();
                return null;
              });
      for (String name : names) {
        Object one = signal.getConstructor(String.class).newInstance(name);
        signal.getMethod("handle", signal, handler).invoke(null, one, run);
      }
    } catch (ReflectiveOperationException e) {
      // a runtime without jdk.unsupported, or one that was told to leave signals alone (-Xrs), or
      // without that signal (Windows)
      LOG.debug("signals are left to the JVM", e);
    }
  }
}
