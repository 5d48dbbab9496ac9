package io.fairlead.gateway.config;

import io.vertx.config.ConfigStoreOptions;
import io.vertx.config.spi.ConfigStore;
import io.vertx.config.spi.ConfigStoreFactory;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes stores for Vert.x Config, which finds this class as a service.
 *
 * <p>Thread: any.
 */
public final class HoconStoreFactory implements ConfigStoreFactory {
  private static final String TYPE = "fairlead";
  private static final String FILE = "file";
  private static final String OVERRIDES = "overrides";

  /** The options for a store of {@link ConfigLoader#load}'s arguments. */
  public static ConfigStoreOptions options(Path file, Map<String, String> overrides) {
    JsonObject stronger = new JsonObject();
    overrides.forEach(stronger::put);
    return new ConfigStoreOptions()
        .setType(TYPE)
        .setConfig(new JsonObject().put(FILE, file.toString()).put(OVERRIDES, stronger));
  }

  @Override
  public String name() {
    return TYPE;
  }

  @Override
  public ConfigStore create(Vertx vertx, JsonObject configuration) {
    Map<String, String> overrides = new LinkedHashMap<>();
    configuration
        .getJsonObject(OVERRIDES)
        .forEach(entry -> overrides.put(entry.getKey(), (String) entry.getValue()));
    return new HoconStore(vertx, Path.of(configuration.getString(FILE)), overrides);
  }
}
