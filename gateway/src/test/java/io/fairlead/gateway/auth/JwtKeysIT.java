package io.fairlead.gateway.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import io.vertx.core.Vertx;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The issuer's keys: without any nothing starts, and what was good stays good (lifecycle 88). */
class JwtKeysIT {
  private static TokenIssuer first;
  private static TokenIssuer second;

  private Vertx vertx;

  @BeforeAll
  static void keys() throws Exception {
    first = TokenIssuer.create("k1");
    second = TokenIssuer.create("k2");
  }

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  @Test
  void keySetWithoutAUsableKeyRefusesTheStart() throws Exception {
    String secret = new OctetSequenceKeyGenerator(256).keyID("s").generate().toJSONString();
    for (String body :
        List.of(
            "",
            "[]",
            "{}",
            "{\"keys\":[]}",
            "{\"keys\":7}",
            "{\"keys\":[7,{}]}",
            "{\"keys\":[" + secret + "]}",
            "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AAAA\"}]}",
            first.keySet().replace("\"kid\"", "\"use\":\"enc\",\"kid\""))) {
      KeyServer server = new KeyServer(vertx, body);
      assertThrows(AuthUnavailable.class, () -> AuthFront.start(vertx, server.hocon()), body);
    }
  }

  @Test
  void keySetThatIsNotServedRefusesTheStart() throws Exception {
    KeyServer server = new KeyServer(vertx, first.keySet());
    for (int status : new int[] {302, 404, 500}) {
      server.answer(status, first.keySet());
      assertThrows(AuthUnavailable.class, () -> AuthFront.start(vertx, server.hocon()));
    }
    int closedPort;
    try (ServerSocket socket = new ServerSocket(0)) {
      closedPort = socket.getLocalPort();
    }
    String nowhere = KeyServer.hocon("http://127.0.0.1:" + closedPort + "/keys");
    AuthUnavailable failure =
        assertThrows(AuthUnavailable.class, () -> AuthFront.start(vertx, nowhere));
    assertTrue(failure.getMessage().contains("auth.jwt.jwks-url"), failure.getMessage());
  }

  @Test
  void oversizeKeySetRefusesTheStart() throws Exception {
    KeyServer server = new KeyServer(vertx, " ".repeat(KeySource.MAX_BYTES) + first.keySet());
    assertThrows(AuthUnavailable.class, () -> AuthFront.start(vertx, server.hocon()));
  }

  @Test
  void unusableKeysBesideGoodOnesArePassedOver() throws Exception {
    String odd = "{\"keys\":[{\"kty\":\"NEW\",\"kid\":\"n\"},7,";
    KeyServer server = new KeyServer(vertx, first.keySet().replace("{\"keys\":[", odd));
    assertEquals(200, AuthFront.start(vertx, server.hocon()).askWith(first.token()).status());
  }

  @Test
  void newKeyIsFetchedWhenATokenNamesIt() throws Exception {
    KeyServer server = new KeyServer(vertx, first.keySet());
    AuthFront front = AuthFront.start(vertx, server.hocon());
    server.answer(200, second.keySet());
    assertEquals(200, front.askWith(second.token()).status());
    assertEquals(401, front.askWith(first.token()).status());
  }

  @Test
  void manyTokensWithUnknownKeysCauseOneFetch() throws Exception {
    KeyServer server = new KeyServer(vertx, first.keySet());
    AuthFront front = AuthFront.start(vertx, server.hocon());
    for (int i = 0; i < 20; i++) {
      assertEquals(401, front.askWith(second.token()).status());
    }
    assertEquals(2, server.requests());
    assertEquals(200, front.askWith(first.token()).status());
  }

  @ParameterizedTest
  @CsvSource({"200, '{\"keys\":[]}'", "200, no JSON", "503, ''", "302, ''"})
  @DisplayName("lifecycle 88: during an outage of the issuer the last good keys stay")
  void failedFetchKeepsTheLastGoodKeys(int status, String body) throws Exception {
    KeyServer server = new KeyServer(vertx, first.keySet());
    AuthFront front = AuthFront.start(vertx, server.hocon());
    server.answer(status, body);
    assertEquals(401, front.askWith(second.token()).status());
    assertEquals(2, server.requests());
    assertEquals(200, front.askWith(first.token()).status());
  }

  @Test
  void keysMayStandInAFile(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("keys.json");
    Files.writeString(file, first.keySet());
    String hocon =
        KeyServer.hocon("unused").replace("jwks-url = \"unused\"", "jwks-file = \"" + file + "\"");
    AuthFront front = AuthFront.start(vertx, hocon);
    assertEquals(200, front.askWith(first.token()).status());
    Files.writeString(file, second.keySet());
    assertEquals(200, front.askWith(second.token()).status());
    Files.delete(file);
    assertThrows(AuthUnavailable.class, () -> AuthFront.start(vertx, hocon));
  }
}
