package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the gateway does to each call: read it, and put another id into it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EnvelopeBenchmark {
  private final EnvelopeReader reader = new EnvelopeReader(new WireLimits(100, 10_000, 1000, 256));
  private final RpcId id = RpcId.of(4711);
  private final byte[] call = call(640, 8);
  private final byte[] large = call(4_000_000, 8);
  private final byte[] structured = call(100, 23);

  /** A tools/call of 1 KiB, most of it one text. */
  @Benchmark
  public byte[] callOf1KiB() throws MalformedMessage {
    return readAndSplice(call);
  }

  /** A tools/call of 1 KiB, most of it small members. */
  @Benchmark
  public byte[] callOf1KiBWithManyMembers() throws MalformedMessage {
    return readAndSplice(structured);
  }

  /** A tools/call of 4 MB, most of it one text. */
  @Benchmark
  public byte[] callOf4MB() throws MalformedMessage {
    return readAndSplice(large);
  }

  private byte[] readAndSplice(byte[] message) throws MalformedMessage {
    Envelope envelope = reader.read(message);
    return EnvelopeEdit.of(envelope.bytes())
        .replace(envelope.idSpan().orElseThrow(), id.json())
        .bytes();
  }

  private static byte[] call(int textLength, int members) {
    StringBuilder text = new StringBuilder();
    text.append(
        "{\"method\":\"tools/call\",\"params\":{\"name\":\"search__query\",\"arguments\":{");
    for (int i = 0; i < members; i++) {
      text.append("\"option-")
          .append(i)
          .append("\":{\"value\":")
          .append(i)
          .append(",\"on\":true},");
    }
    text.append("\"text\":\"").append("Lorem ipsum \\n".repeat(textLength / 14)).append("\"},");
    text.append("\"_meta\":{\"progressToken\":7}},\"jsonrpc\":\"2.0\",\"id\":7}");
    return text.toString().getBytes(UTF_8);
  }
}
