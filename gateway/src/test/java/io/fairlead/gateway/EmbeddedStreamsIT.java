package io.fairlead.gateway;

import java.nio.file.Path;

/** The stream cases on a gateway that an application embeds. */
class EmbeddedStreamsIT extends StreamCases {

  @Override
  Way start(Path directory, String hocon) throws Exception {
    return new EmbeddedWay(TestGateway.start(hocon));
  }

  private record EmbeddedWay(TestGateway gateway) implements Way {

    @Override
    public int port() {
      return gateway.port();
    }

    @Override
    public void change(String hocon) throws Exception {
      gateway.apply(hocon);
    }

    @Override
    public void close() {
      gateway.close();
    }
  }
}
