package io.fairlead.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.WireLimits;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hides tools by name and touches nothing else. */
class ToolFilterTest {
  private static Envelope read(String json) throws Exception {
    return new EnvelopeReader(new WireLimits(100, 1000, 100, 100)).read(json.getBytes(UTF_8));
  }

  private static String list(String tools) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":"
        + tools
        + ",\"nextCursor\": \"n\"}}";
  }

  private static String filtered(String json, String... patterns) throws Exception {
    return new String(new ToolFilter(List.of(patterns)).filter(read(json)), UTF_8);
  }

  @Test
  void hiddenToolsAreTakenOutOfTheList() throws Exception {
    String keep = "{ \"name\":\"keep\",\"x\":1.0}";
    String all = list("[{\"name\":\"rm_all\"}, " + keep + " ,{\"name\":\"rm\"}]");
    assertEquals(list("[" + keep + "]"), filtered(all, "rm*"));
    assertEquals(list("[]"), filtered(all, "*"));
    assertEquals(all, filtered(all));
  }

  @Test
  void hiddenToolIsNotCalled() throws Exception {
    ToolFilter filter = new ToolFilter(List.of("delete_*", "a.c"));
    assertTrue(filter.refuses(call("delete_x")));
    assertTrue(filter.refuses(call("a.c")));
    assertFalse(filter.refuses(call("abc")));
    assertFalse(filter.refuses(call("undelete_x")));
  }

  private static Envelope call(String name) throws Exception {
    return read(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\""
            + name
            + "\"}}");
  }
}
