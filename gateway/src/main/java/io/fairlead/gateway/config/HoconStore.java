package io.fairlead.gateway.config;

import io.vertx.config.spi.ConfigStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What Vert.x Config watches: the configuration as the gateway reads it, with its includes, the
 * environment and the overrides of the command line. It shows a fingerprint alone, which differs
 * whenever the configuration or its problems do; typed values and places do not survive as JSON.
 *
 * <p>Thread: any; files are read on a worker.
 */
final class HoconStore implements ConfigStore {
  private final Vertx vertx;
  private final Optional<Path> file;
  private final Map<String, String> overrides;

  HoconStore(Vertx vertx, Path file, Map<String, String> overrides) {
    this.vertx = vertx;
    this.file = Optional.of(file);
    this.overrides = new LinkedHashMap<>(overrides);
  }

  @Override
  public Future<Buffer> get() {
    return vertx.executeBlocking(
        () ->
            new JsonObject()
                .put("fingerprint", ConfigLoader.load(file, overrides).fingerprint())
                .toBuffer());
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }
}
