package io.fairlead.gateway.backend;

import io.vertx.core.Context;

/** The link of a {@link StdioBackend} whose child is shared does what every link does. */
class StdioSharedLinkIT extends LinkContract {

  @Override
  protected Backend backend(Context owner) {
    return new StdioBackend(
        "tested", StdioFixture.scripted("normal").withShared().config(), owner, false);
  }
}
