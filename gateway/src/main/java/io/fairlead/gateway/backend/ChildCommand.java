package io.fairlead.gateway.backend;

import io.fairlead.gateway.config.BackendConfig;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is started as a child: words, directory and environment from the operator's configuration
 * alone, without a shell. Of the gateway's environment the child sees a short allow-list, so that
 * no secret of the gateway reaches it.
 *
 * <p>Thread: any; immutable.
 *
 * @param backend the backend's name
 * @param config what the operator wrote
 * @param mark marks the child and its descendants ({@link ProcessTree})
 */
record ChildCommand(String backend, BackendConfig.Stdio config, String mark) {
  private static final List<String> INHERITED =
      List.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "SHELL",
          "TERM",
          "TZ",
          "TMPDIR",
          "LANG",
          "LC_ALL",
          "LC_CTYPE",
          "SystemRoot",
          "SystemDrive",
          "PATHEXT",
          "APPDATA",
          "LOCALAPPDATA",
          "TEMP",
          "TMP",
          "USERNAME",
          "USERPROFILE",
          "HOMEDRIVE",
          "HOMEPATH",
          "PROCESSOR_ARCHITECTURE");

  /** The whole environment of a child; {@code configured} wins over what is inherited. */
  static Map<String, String> environment(
      Map<String, String> gateway, Map<String, String> configured) {
    Map<String, String> child = new TreeMap<>();
    for (String name : INHERITED) {
      String value = gateway.get(name);
      if (value != null) {
        child.put(name, value);
      }
    }
    child.putAll(configured);
    return child;
  }

  /** Starts the process; blocks for as long as the system takes to fork. */
  Process start() throws IOException {
    ProcessBuilder builder = new ProcessBuilder(config.command());
    Map<String, String> environment = builder.environment();
    Map<String, String> allowed = environment(Map.copyOf(environment), config.env());
    environment.clear();
    environment.putAll(allowed);
    environment.put(ProcessTree.MARK, mark);
    config.workingDirectory().map(File::new).ifPresent(builder::directory);
    return builder.start();
  }

  /** What to say when {@link #start} failed; the words after the first may be secrets. */
  String failureText(IOException failure) {
    String directory = config.workingDirectory().orElse("");
    if (!directory.isEmpty() && !new File(directory).isDirectory()) {
      return String.format(
          "its directory \"%s\" does not exist; create it, or correct"
              + " backends.%s.working-directory",
          directory, backend);
    }
    String text = String.valueOf(failure.getMessage());
    int cause = text.lastIndexOf("error=");
    return String.format(
        "command \"%s\" could not be started (%s); install it, or write its full path into"
            + " backends.%s.command",
        config.command().get(0),
        cause < 0 ? "refused by the system" : text.substring(cause),
        backend);
  }
}
