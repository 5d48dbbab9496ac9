package io.fairlead.gateway;

import java.nio.file.Files;
import java.nio.file.Path;

/** The stream cases on a process of the packaged command that watches its configuration. */
class ReloadStreamsIT extends StreamCases {

  @Override
  Way start(Path directory, String hocon) throws Exception {
    Path file = Files.writeString(directory.resolve("gateway.conf"), hocon);
    return new WatchingWay(
        FatJar.start(directory, "--watch", "-c", file.toString(), "--port", "0"), file);
  }

  private record WatchingWay(FatJar jar, Path file) implements Way {
    private static final String APPLIED = "configuration applied: added=|removed=";

    @Override
    public int port() throws Exception {
      return jar.url().getPort();
    }

    @Override
    public void change(String hocon) throws Exception {
      int before = jar.err().split(APPLIED).length;
      WatchedGateway.write(file, hocon);
      jar.hangUp();
      jar.await("applied", now -> now.err().split(APPLIED).length > before);
    }

    @Override
    public void close() {
      jar.close();
    }
  }
}
