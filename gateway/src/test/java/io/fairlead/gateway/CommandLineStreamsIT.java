package io.fairlead.gateway;

import java.nio.file.Files;
import java.nio.file.Path;

/** The stream cases on a process of the packaged command. */
class CommandLineStreamsIT extends StreamCases {

  @Override
  Way start(Path directory, String hocon) throws Exception {
    Path file = Files.writeString(directory.resolve("gateway.conf"), hocon);
    return new JarWay(FatJar.start(directory, "-c", file.toString(), "--port", "0"));
  }

  private record JarWay(FatJar jar) implements Way {

    @Override
    public int port() throws Exception {
      return jar.url().getPort();
    }

    @Override
    public void change(String hocon) {}

    @Override
    public void close() {
      jar.close();
    }
  }
}
