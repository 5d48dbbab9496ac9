package io.fairlead.gateway.backend;

import io.vertx.core.Context;

/** The link of a {@link StdioBackend} with a child of its own does what every link does. */
class StdioLinkIT extends LinkContract {

  @Override
  protected Backend backend(Context owner) {
    return new StdioBackend("tested", StdioFixture.scripted("normal").config(), owner, false);
  }
}
