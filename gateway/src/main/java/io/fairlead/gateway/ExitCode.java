package io.fairlead.gateway;

/** How the process ends, as the contract lists it. */
final class ExitCode {
  static final int OK = 0;
  static final int OTHER = 1;
  static final int CONFIGURATION = 3;
  static final int ADDRESS_IN_USE = 4;

  private ExitCode() {}
}
