package io.fairlead.bridge;

import io.fairlead.client.Credentials;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A token in a file that somebody else renews, read anew for each connection.
 *
 * <p>Thread: owner loop.
 */
final class BearerFile implements Credentials {
  private static final Logger LOG = LoggerFactory.getLogger(BearerFile.class);

  private final Vertx vertx;
  private final Map<String, String> others;
  private final Path file;

  BearerFile(Vertx vertx, Map<String, String> others, Path file) {
    this.vertx = vertx;
    this.others = others;
    this.file = file;
  }

  @Override
  public Future<Map<String, String>> headers() {
    return vertx
        .fileSystem()
        .readFile(file.toString())
        .map(
            content -> {
              Map<String, String> headers = new LinkedHashMap<>(others);
              headers.put("Authorization", "Bearer " + content.toString().strip());
              return headers;
            })
        .otherwise(
            unreadable -> {
              LOG.warn("The token cannot be read: file={}", file);
              return others;
            });
  }
}
