package io.fairlead.gateway.route;

import static io.fairlead.gateway.route.ListKind.PROMPTS;
import static io.fairlead.gateway.route.ListKind.RESOURCES;
import static io.fairlead.gateway.route.ListKind.TEMPLATES;
import static io.fairlead.gateway.route.ListKind.TOOLS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.wire.Span;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Thread: any. */
class ViewTest {
  private static final Map<String, List<Item>> NONE = Map.of();

  /** Odd spacing, numbers and escapes: what must come out as it went in. */
  private static final String ODD =
      "{ \"title\":\"\\u00e9\\/\", \"name\" : \"re\\u0061d\" ,\"n\":1.0e2,\"x\":{\"name\":\"read\"}}";

  @Test
  void itemsAreUntouchedWhenThereIsOneBackend() {
    View view = view(offer("files", TOOLS, ODD, "{\"name\":\"write\"}"));
    assertEquals("{\"tools\":[" + ODD + ",{\"name\":\"write\"}]}", list(view, TOOLS));
    assertEquals("{\"prompts\":[]}", list(view, PROMPTS));
  }

  @Test
  void onlyTheNameIsReplacedWhenThereAreSeveralBackends() {
    View view = view(offer("files", TOOLS, ODD), offer("a", TOOLS, "{\"name\":\"read\"}"));
    String spliced = ODD.replace("\"re\\u0061d\"", "\"files__read\"");
    assertEquals("{\"tools\":[{\"name\":\"a__read\"}," + spliced + "]}", list(view, TOOLS));
  }

  @Test
  void everyNameLeadsToTheBackendWhenThereIsOne() {
    View view = view(offer("files", TOOLS, "{\"name\":\"read\"}"));
    for (ListKind kind : ListKind.values()) {
      assertEquals(target("files", "files__x"), view.find(kind, "files__x"));
      assertEquals(Optional.of("any"), view.clientName(kind, "files", "any"));
    }
  }

  @Test
  void prefixLeadsToTheBackendWhenToolIsNotInTheCatalog() {
    View view = view(offer("files", TOOLS, "{\"name\":\"read\"}"), offer("search"));
    assertEquals(target("files", "read"), view.find(TOOLS, "files__read"));
    assertEquals(target("files", "new_tool"), view.find(TOOLS, "files__new_tool"));
    assertEquals(target("search", "p"), view.find(PROMPTS, "search__p"));
    assertEquals(Optional.empty(), view.find(TOOLS, "read"));
    assertEquals(Optional.empty(), view.find(TOOLS, "other__read"));
    assertEquals(Optional.of("search__later"), view.clientName(TOOLS, "search", "later"));
    assertEquals(Optional.empty(), view.clientName(TOOLS, "absent", "read"));
  }

  @Test
  void resourceIsFoundByUriThenByTemplateThenByOwner() {
    View view =
        view(
            offer("files", RESOURCES, "{\"uri\":\"x://1\"}")
                .with(TEMPLATES, "{\"uriTemplate\":\"x://{id}\"}", "{\"uriTemplate\":\"{+any}\"}"),
            offer("search", RESOURCES, "{\"uri\":\"x://2\"}")
                .with(TEMPLATES, "{\"uriTemplate\":\"x://s/{id}\"}"));
    assertEquals(target("files", "x://1"), view.find(RESOURCES, "x://1"));
    assertEquals(target("search", "x://2"), view.find(RESOURCES, "x://2"));
    assertEquals(target("files", "x://3"), view.find(RESOURCES, "x://3"));
    assertEquals(target("search", "x://s/3"), view.find(RESOURCES, "x://s/3"));
    assertEquals(target("files", "y://4"), view.find(RESOURCES, "y://4"));
  }

  @Test
  void unknownUriLeadsNowhereWhenNobodyOwnsIt() {
    View view = view(offer("files", RESOURCES, "{\"uri\":\"x://1\"}"), offer("search"));
    assertEquals(Optional.empty(), view.find(RESOURCES, "x://3"));
    assertEquals(target("search", "x://3"), view.find(RESOURCES, "search+x://3"));
  }

  @Test
  void urisCarryTheirOwnerWhenBackendsOfferTheSame() {
    String uri = "{\"uri\":\"x://same\",\"name\":\"n\"}";
    View view = view(offer("a", RESOURCES, uri), offer("b", RESOURCES, uri));
    assertEquals(
        "{\"resources\":[{\"uri\":\"a+x://same\",\"name\":\"n\"},"
            + "{\"uri\":\"b+x://same\",\"name\":\"n\"}]}",
        list(view, RESOURCES));
    assertEquals(target("b", "x://same"), view.find(RESOURCES, "b+x://same"));
    assertEquals(Optional.of("b+x://same"), view.clientName(RESOURCES, "b", "x://same"));
  }

  @Test
  void expansionsLeadToTheirOwnerWhenBackendsOfferTheSameTemplate() {
    String template = "{\"uriTemplate\":\"x://{id}\",\"name\":\"n\"}";
    View view = view(offer("a", TEMPLATES, template), offer("b", TEMPLATES, template));
    assertEquals(target("b", "x://7"), view.find(RESOURCES, "b+x://7"));
    assertEquals(target("b", "x://{id}"), view.find(TEMPLATES, "b+x://{id}"));
    assertEquals(Optional.of("b+x://7"), view.clientName(RESOURCES, "b", "x://7"));
  }

  @Test
  void completionFindsTemplateByItsTextAndElseAResource() {
    View view =
        view(offer("a", TEMPLATES, "{\"uriTemplate\":\"x://{id}\"}"), offer("b", RESOURCES));
    assertEquals(target("a", "x://{id}"), view.find(TEMPLATES, "x://{id}"));
    assertEquals(target("a", "x://5"), view.find(TEMPLATES, "x://5"));
  }

  @Test
  void ownListReplacesTheSharedOneOfItsBackendAlone() {
    View view =
        view(
            offer("a", TOOLS, "{\"name\":\"t\"}").with(PROMPTS, "{\"name\":\"p\"}"),
            offer("b", TOOLS, "{\"name\":\"t\"}"));
    String shared = list(view, TOOLS);
    Map<String, List<Item>> own = Map.of("a", items(TOOLS, "{\"name\":\"mine\"}"));
    assertEquals(
        "{\"tools\":[{\"name\":\"a__mine\"},{\"name\":\"b__t\"}]}",
        new String(view.list(TOOLS, own), UTF_8));
    assertEquals(target("a", "mine"), view.find(TOOLS, "a__mine", own));
    assertEquals(list(view, PROMPTS), list(view.with(TOOLS, own), PROMPTS));
    assertEquals(shared, list(view, TOOLS));
    assertSame(view, view.with(TOOLS, NONE));
  }

  @Test
  void ownListOfABackendOutsideOfTheViewIsLeftOut() {
    View view = view(offer("a", TOOLS, "{\"name\":\"t\"}"));
    Map<String, List<Item>> own = Map.of("b", items(TOOLS, "{\"name\":\"mine\"}"));
    assertEquals("{\"tools\":[{\"name\":\"t\"}]}", new String(view.list(TOOLS, own), UTF_8));
  }

  @Test
  void capabilitiesAreWhatAnyBackendCanDo() {
    View view =
        view(
            offer("a").saying("{\"capabilities\":{\"tools\":{},\"logging\":{},\"tasks\":{}}}"),
            offer("b").saying("{\"capabilities\":{\"resources\":{\"subscribe\":true}}}"),
            offer("c").saying("{\"capabilities\":{\"resources\":{},\"completions\":7}}"));
    assertEquals(
        new JsonObject(
            "{\"tools\":{\"listChanged\":true},\"logging\":{},"
                + "\"resources\":{\"listChanged\":true,\"subscribe\":true}}"),
        view.capabilities());
  }

  @Test
  void everyListIsAnnouncedWhenABackendWasNeverReached() {
    View view = view(offer("a").saying("{\"capabilities\":{\"tools\":{}}}"), offer("b"));
    assertEquals(Set.of("tools", "prompts", "resources"), view.capabilities().fieldNames());
  }

  @Test
  void instructionsStandUnderTheirBackendsNameWhenThereAreSeveral() {
    Sample a = offer("a").saying("{\"instructions\":\"Read first.\\n\"}");
    Sample b = offer("b").saying("{\"instructions\":5}");
    Sample c = offer("c").saying("{\"instructions\":\"Write.\"}");
    assertEquals(Optional.of("Read first.\n"), view(a).instructions());
    assertEquals(Optional.empty(), view(b).instructions());
    assertEquals(Optional.empty(), view(b, offer("d")).instructions());
    assertEquals(
        Optional.of(
            "## a (names begin with a__)\n\nRead first.\n\n"
                + "## c (names begin with c__)\n\nWrite."),
        view(a, b, c).instructions());
  }

  @Test
  void serverInfoIsTheBackendsOwnWhenThereIsOne() {
    Sample a = offer("a").saying("{\"serverInfo\":{\"name\":\"x\",\"version\":\"9\"}}");
    JsonObject own = new JsonObject("{\"name\":\"x\",\"version\":\"9\"}");
    assertEquals(own, view(a).serverInfo());
    assertEquals("fairlead", view(a, offer("b")).serverInfo().getString("name"));
    assertEquals("fairlead", view(offer("b")).serverInfo().getString("name"));
    view(a).serverInfo().put("name", "changed");
    assertEquals(own, view(a).serverInfo());
  }

  @Test
  void nothingIsOfferedWhenThereIsNoBackend() {
    View view = View.of(List.of());
    assertEquals("{\"tools\":[]}", list(view, TOOLS));
    assertEquals(Optional.empty(), view.find(TOOLS, "a__b"));
    assertEquals(Optional.empty(), view.instructions());
    assertEquals(new JsonObject(), view.capabilities());
  }

  @Property(tries = 500)
  void everyClientNameLeadsBackToItsTarget(@ForAll("offers") NamingTest.Offers offers) {
    for (ListKind kind : ListKind.values()) {
      Map<String, Sample> samples = new TreeMap<>();
      offers.prefixes().forEach((name, prefix) -> samples.put(name, new Sample(name, prefix)));
      for (Target target : offers.targets()) {
        JsonObject item = new JsonObject().put(kind.key(), target.name());
        samples.get(target.backend()).with(kind, item.encode());
      }
      View view = view(samples.values().toArray(Sample[]::new));
      for (Target target : new HashSet<>(offers.targets())) {
        String said = view.clientName(kind, target.backend(), target.name()).orElseThrow();
        assertEquals(Optional.of(target), view.find(kind, said));
        assertTrue(list(view, kind).contains(new JsonObject().put(kind.key(), said).encode()));
      }
    }
  }

  @Property(tries = 500)
  void everyNameOutsideOfTheCatalogLeadsBackOrHasNone(
      @ForAll("offers") NamingTest.Offers offers, @ForAll("offers") NamingTest.Offers others) {
    for (ListKind kind : ListKind.values()) {
      Map<String, Sample> samples = new HashMap<>();
      offers.prefixes().forEach((name, prefix) -> samples.put(name, new Sample(name, prefix)));
      View view = view(new TreeMap<>(samples).values().toArray(Sample[]::new));
      for (Target target : others.targets()) {
        view.clientName(kind, target.backend(), target.name())
            .ifPresent(said -> assertEquals(Optional.of(target), view.find(kind, said)));
      }
    }
  }

  @Provide
  Arbitrary<NamingTest.Offers> offers() {
    return NamingTest.OFFERS;
  }

  private static View view(Sample... samples) {
    return View.of(List.of(samples).stream().map(Sample::offer).sorted(ORDER).toList());
  }

  private static final Comparator<Offer> ORDER = Comparator.comparing(Offer::backend);

  private static Sample offer(String backend) {
    return new Sample(backend, backend);
  }

  private static Sample offer(String backend, ListKind kind, String... items) {
    return new Sample(backend, backend).with(kind, items);
  }

  private static Optional<Target> target(String backend, String name) {
    return Optional.of(new Target(backend, name));
  }

  private static String list(View view, ListKind kind) {
    return new String(view.list(kind), UTF_8);
  }

  private static List<Item> items(ListKind kind, String... items) {
    return List.of(items).stream().map(item -> item(kind, item)).toList();
  }

  private static Item item(ListKind kind, String json) {
    byte[] bytes = json.getBytes(UTF_8);
    return Item.of(kind, bytes, new Span(0, bytes.length)).orElseThrow();
  }

  /** Builds an offer. */
  private static final class Sample {
    private final String backend;
    private final String prefix;
    private final Map<ListKind, List<Item>> lists = new EnumMap<>(ListKind.class);
    private Optional<Handshake> handshake = Optional.empty();

    Sample(String backend, String prefix) {
      this.backend = backend;
      this.prefix = prefix;
    }

    Sample with(ListKind kind, String... items) {
      List<Item> all = new ArrayList<>(lists.getOrDefault(kind, List.of()));
      all.addAll(items(kind, items));
      lists.put(kind, all);
      return this;
    }

    Sample saying(String initializeResult) {
      handshake = Handshake.of(initializeResult.getBytes(UTF_8));
      return this;
    }

    Offer offer() {
      return new Offer(backend, prefix, handshake, lists);
    }
  }
}
