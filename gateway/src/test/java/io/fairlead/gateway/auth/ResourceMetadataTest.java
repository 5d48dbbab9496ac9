package io.fairlead.gateway.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fairlead.gateway.config.ConfigLoader;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents of RFC 9728: lifecycle 93. */
class ResourceMetadataTest {
  private static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";

  private final ResourceMetadata metadata =
      new ResourceMetadata(
          ConfigLoader.parse(
                  """
                  auth {
                    mode = jwt
                    resource = "https://example.com:8443/tools/mcp"
                    jwt {
                      issuer = "https://id.example.com", jwks-file = keys.json
                      required-scopes = [a, b]
                    }
                  }
                  """)
              .orElseThrow());

  @Test
  void documentNamesResourceServersAndScopes() {
    assertEquals(
        new JsonObject()
            .put("resource", "https://example.com:8443/tools/mcp")
            .put("authorization_servers", JsonArray.of("https://id.example.com"))
            .put("bearer_methods_supported", JsonArray.of("header"))
            .put("scopes_supported", JsonArray.of("a", "b")),
        document("").orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "/tools/mcp, ''",
    "/mcp, ''",
    "/tools/mcp/files, /files",
    "/mcp/files, /files",
  })
  void resourceIsTheConfiguredUrlBehindAProxyToo(String path, String backend) {
    assertEquals(
        "https://example.com:8443/tools/mcp" + backend,
        document(path).orElseThrow().getString("resource"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/other",
        "/mcpx",
        "/mcp/",
        "/mcp/a/b",
        "/mcp/..",
        "/mcp/A\"",
        "x",
        "/mcp/nope"
      })
  void nothingIsServedBesides(String path) {
    assertEquals(Optional.empty(), document(path));
  }

  @Test
  void challengeNamesTheAbsoluteUrlOfTheDocument() {
    String base = "https://example.com:8443" + WELL_KNOWN + "/tools/mcp";
    assertEquals(base, metadata.url("/mcp"));
    assertEquals(base + "/files", metadata.url("/mcp/files"));
    assertEquals(base, metadata.url("/mcp/..\"/x"));
  }

  private Optional<JsonObject> document(String path) {
    return metadata.document(WELL_KNOWN + path, "files"::equals).map(JsonObject::new);
  }
}
