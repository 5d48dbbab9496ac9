package io.fairlead.gateway;

import io.vertx.core.json.jackson.JacksonCodec;
import io.vertx.core.spi.JsonFactory;
import io.vertx.core.spi.json.JsonCodec;

/**
 * JSON in tests as the packaged gateway reads and writes it: jackson-databind is here for the SDK
 * alone, and Vert.x would use it.
 *
 * <p>Thread: any.
 */
public final class CoreJson implements JsonFactory {
  @Override
  public JsonCodec codec() {
    return new JacksonCodec();
  }
}
