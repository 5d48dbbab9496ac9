package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/** Random messages, spoiled ones, and noise. */
class EnvelopeFuzzTest {
  private static final byte[] NASTY = "\"\\{}[],:u0d8e-+.tfn/ \n\0".getBytes(UTF_8);

  private final EnvelopeReader reader = new EnvelopeReader(new WireLimits(100, 10_000, 1000, 256));

  /** Shows lifecycle 64: what is not spliced stays, byte by byte. */
  @Property(tries = 2000)
  void editLeavesAllOtherBytes(@ForAll long seed) throws MalformedMessage {
    Random random = new Random(seed);
    RandomJson json = new RandomJson(random);
    String id = random.nextBoolean() ? json.string() : "-" + random.nextInt(100);
    String name = json.string();
    String token = random.nextBoolean() ? json.string() : json.number();
    String template = template(json, random);
    String message = fill(template, id, name, token);
    Envelope envelope = reader.read(message.getBytes(UTF_8));
    EnvelopeEdit edit =
        EnvelopeEdit.of(envelope.bytes())
            .replace(envelope.nameSpan().orElseThrow(), "\"new\"".getBytes(UTF_8))
            .replace(envelope.idSpan().orElseThrow(), "42".getBytes(UTF_8))
            .replace(envelope.progressToken().orElseThrow(), "\"t\"".getBytes(UTF_8));
    assertEquals(fill(template, "42", "\"new\"", "\"t\""), new String(edit.bytes(), UTF_8));
    JsonNode tree = StrictJson.parse(envelope.bytes()).orElseThrow();
    assertEquals(tree.get("params").get("name").textValue(), envelope.name().orElseThrow());
    assertEquals(tree.get("method").textValue(), envelope.method());
    assertArrayEquals(id.getBytes(UTF_8), envelope.id().orElseThrow().json());
  }

  /** Agrees with the JDK and Jackson about each spoiled text, as a value and as a message. */
  @Property(tries = 6000)
  void readerAgreesWithOthersAboutSpoiledText(@ForAll long seed) {
    Random random = new Random(seed);
    RandomJson json = new RandomJson(random);
    byte[] bytes = json.value(4).getBytes(UTF_8);
    for (int faults = random.nextInt(4); faults > 0; faults--) {
      bytes = spoil(bytes, random);
    }
    JsonOracle.assertAgrees(reader, bytes);
  }

  @Property(tries = 3000)
  void readerAgreesWithOthersAboutFewBytes(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[random.nextInt(9)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = NASTY[random.nextInt(NASTY.length)];
    }
    JsonOracle.assertAgrees(reader, bytes);
  }

  /** Whatever comes, it is read or refused, and the reader goes on. */
  @Property(tries = 3000)
  void noiseIsReadOrRefused(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[random.nextInt(200)];
    random.nextBytes(bytes);
    readAll(bytes);
    readAll(spoil(fill(template(new RandomJson(random), random), "1", "\"n\"", "2"), random));
  }

  /** The same with a large budget: for a nightly run. */
  @Tag("soak")
  @Property(tries = 3_000_000)
  void readerAgreesWithOthersForLong(@ForAll long seed) {
    readerAgreesWithOthersAboutSpoiledText(seed);
    noiseIsReadOrRefused(seed);
  }

  private void readAll(byte[] bytes) {
    try {
      reader.idOf(bytes);
      reader.read(bytes);
    } catch (MalformedMessage expected) {
      assertTrue(expected.error().code() != 0);
    }
    try {
      EnvelopeReader.isBatch(bytes);
      reader.readBatch(bytes, 3);
    } catch (MalformedMessage expected) {
      assertTrue(expected.error().code() != 0);
    }
  }

  /** A tools/call in any order and spelling, with \1, \2 and \3 for what will be replaced. */
  private static String template(RandomJson json, Random random) {
    String token = json.member("progressToken", "\3");
    List<String> params = new ArrayList<>();
    params.add(json.member("name", "\2"));
    params.add(json.member("_meta", json.object(1, token)));
    params.add(
        json.member("arguments", json.object(3, json.member("name", "1"), json.member("id", "2"))));
    List<String> members = new ArrayList<>();
    members.add(json.member("jsonrpc", json.pick("\"2.0\"", "\"2\\u002e0\"")));
    members.add(json.member("id", "\1"));
    members.add(json.member("method", json.pick("\"tools/call\"", "\"tools\\/call\"")));
    Collections.shuffle(params, random);
    members.add(json.member("params", json.object(2, params.toArray(String[]::new))));
    Collections.shuffle(members, random);
    return json.space() + json.object(2, members.toArray(String[]::new)) + json.space();
  }

  private static String fill(String template, String id, String name, String token) {
    return template.replace("\1", id).replace("\2", name).replace("\3", token);
  }

  private static byte[] spoil(String text, Random random) {
    return spoil(text.getBytes(UTF_8), random);
  }

  private static byte[] spoil(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length + 1);
    int end = Math.min(bytes.length, at + random.nextInt(3));
    ByteArrayOutputStream spoiled = new ByteArrayOutputStream();
    spoiled.write(bytes, 0, at);
    switch (random.nextInt(5)) {
      case 0 -> spoiled.write(random.nextInt(256));
      case 1 -> spoiled.write(NASTY[random.nextInt(NASTY.length)]);
      case 2 -> {
        int from = random.nextInt(bytes.length + 1);
        spoiled.write(bytes, from, Math.min(bytes.length - from, random.nextInt(10)));
      }
      case 3 -> end = at < bytes.length ? at + 1 : at;
      default -> {
        if (at < bytes.length) {
          spoiled.write(bytes[at] ^ 1 << random.nextInt(8));
          end = at + 1;
        }
      }
    }
    spoiled.write(bytes, end, bytes.length - end);
    return spoiled.toByteArray();
  }
}
