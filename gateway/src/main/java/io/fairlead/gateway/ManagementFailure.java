package io.fairlead.gateway;

import io.fairlead.gateway.config.ManagementConfig;
import java.io.IOException;

/** The management listener could not be opened, though the gateway's own was. */
final class ManagementFailure extends IOException {
  private static final long serialVersionUID = 1L;

  ManagementFailure(ManagementConfig config, Throwable cause) {
    super(
        "management="
            + StartFailure.address(config.host(), config.port())
            + " could not be opened: "
            + cause.getMessage(),
        cause);
  }
}
