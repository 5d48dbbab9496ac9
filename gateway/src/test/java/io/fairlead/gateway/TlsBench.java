package io.fairlead.gateway;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway for each test, as in {@link GatewayBench}, that listens with TLS.
 *
 * <p>Thread: the test's.
 */
abstract class TlsBench extends GatewayBench {
  @TempDir private static Path directory;
  protected static TestKeys keys;

  @BeforeAll
  static void keys() throws Exception {
    keys = TestKeys.create(directory, "server", "EC");
  }

  @Override
  protected void start(String hocon) throws Exception {
    super.start(keys.hocon() + hocon);
  }
}
