package io.fairlead.gateway.config;

/** The management listener: metrics, apart from traffic. */
public record ManagementConfig(boolean enabled, String host, int port) {
  public ManagementConfig {
    Addresses.check(new Checks(), host, port).done();
  }
}
