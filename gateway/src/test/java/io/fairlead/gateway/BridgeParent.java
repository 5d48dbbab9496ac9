package io.fairlead.gateway;

import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;

/**
 * A host to be killed: it starts the command that it is given, and passes its own stdin on.
 *
 * <p>Thread: main.
 */
final class BridgeParent {
  private BridgeParent() {}

  public static void main(String[] command) throws Exception {
    Process child =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.INHERIT)
            .redirectError(Redirect.INHERIT)
            .start();
    OutputStream to = child.getOutputStream();
    byte[] some = new byte[4096];
    for (int n = System.in.read(some); n > 0; n = System.in.read(some)) {
      to.write(some, 0, n);
      to.flush();
    }
    to.close();
    child.waitFor();
  }
}
