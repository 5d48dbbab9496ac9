package io.fairlead.gateway.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/** Thread: any. */
class NamingTest {
  private static final Target READ = new Target("files", "read");

  @Test
  void nameIsPrefixedWhenThereAreSeveralBackends() {
    Naming naming = new Naming(Map.of("files", "files", "search", "find"));
    Target query = new Target("search", "query");
    assertEquals(
        Map.of(READ, "files__read", query, "find__query"), naming.names(List.of(READ, query)));
  }

  @Test
  void laterBackendIsMarkedWhenPrefixesAreTheSame() {
    Naming naming = new Naming(Map.of("a", "x", "b", "x"));
    Target first = new Target("a", "read");
    Target second = new Target("b", "read");
    Map<Target, String> names = naming.names(List.of(second, first));
    assertEquals("x__read", names.get(first));
    assertTrue(names.get(second).matches("x__read_[0-9a-f]{8}"), names.get(second));
  }

  @Test
  void longNamesAreCutAndStayApart() {
    Naming naming = new Naming(Map.of("files", "files", "other", "other"));
    Target one = new Target("files", "n".repeat(100) + "1");
    Target two = new Target("files", "n".repeat(100) + "2");
    Map<Target, String> names = naming.names(List.of(one, two));
    assertEquals(Naming.MAX_NAME, names.get(one).length());
    assertEquals(names.get(one).substring(0, 56), names.get(two).substring(0, 56));
    assertNotEquals(names.get(one), names.get(two));
  }

  /** Clients keep names in their settings: a change of these strings breaks them. */
  @Test
  void markIsTheSameInEveryRelease() {
    Naming naming = new Naming(Map.of("files", "files", "other", "other"));
    Target target = new Target("files", "größe lesen");
    assertEquals(Map.of(target, "files__gr__e_lesen_60490526"), naming.names(List.of(target)));
  }

  @Test
  void nameThatFitsIsKeptWhenAnotherIsCutToIt() {
    Naming naming = new Naming(Map.of("files", "files", "other", "other"));
    Target cut = new Target("files", "n".repeat(100));
    String taken = naming.names(List.of(cut)).get(cut);
    Target same = new Target("files", taken.substring("files__".length()));
    Map<Target, String> names = naming.names(List.of(cut, same));
    assertEquals(taken, names.get(same));
    assertNotEquals(taken, names.get(cut));
  }

  @Test
  void uriIsKeptUnlessAnotherBackendOffersIt() {
    Naming naming = new Naming(Map.of("a", "a", "b", "b"));
    Target shared = new Target("a", "x://same");
    Target sharedToo = new Target("b", "x://same");
    Target alone = new Target("b", "x://alone");
    assertEquals(
        Map.of(shared, "a+x://same", sharedToo, "b+x://same", alone, "x://alone"),
        naming.uris(List.of(shared, sharedToo, alone)));
  }

  @Test
  void uriIsPrefixedAgainWhenThePrefixedOneIsOffered() {
    Naming naming = new Naming(Map.of("a", "a", "b", "b"));
    Target shared = new Target("a", "x://same");
    Target natural = new Target("b", "a+x://same");
    Map<Target, String> uris = naming.uris(List.of(shared, new Target("b", "x://same"), natural));
    assertEquals("a+x://same", uris.get(natural));
    assertEquals("a+a+x://same", uris.get(shared));
  }

  @Test
  void longestPrefixDecidesWhenNameIsNotInTheCatalog() {
    Naming naming = new Naming(Map.of("a", "a", "deep", "a__b"));
    assertEquals(Optional.of(new Target("a", "c")), naming.byPrefix("a__c"));
    assertEquals(Optional.of(new Target("deep", "c")), naming.byPrefix("a__b__c"));
    assertEquals(Optional.empty(), naming.byPrefix("a__"));
    assertEquals(Optional.empty(), naming.byPrefix("other__c"));
  }

  @Property(tries = 500, shrinking = ShrinkingMode.BOUNDED)
  void namesAreUniqueShortAndIndependentOfOrder(@ForAll("offers") Offers offers) {
    Naming naming = new Naming(offers.prefixes);
    Map<Target, String> names = naming.names(offers.targets);
    assertEquals(new HashSet<>(offers.targets), names.keySet());
    assertEquals(names.size(), new HashSet<>(names.values()).size());
    names.values().forEach(n -> assertTrue(n.matches("[A-Za-z0-9_.-]{1,64}"), n));
    assertEquals(names, new Naming(offers.prefixes).names(offers.reversed()));
  }

  @Property(tries = 500, shrinking = ShrinkingMode.BOUNDED)
  void urisAreUniqueAndIndependentOfOrder(@ForAll("offers") Offers offers) {
    Naming naming = new Naming(offers.prefixes);
    Map<Target, String> uris = naming.uris(offers.targets);
    assertEquals(new HashSet<>(offers.targets), uris.keySet());
    assertEquals(uris.size(), new HashSet<>(uris.values()).size());
    assertEquals(uris, naming.uris(offers.reversed()));
  }

  @Provide
  Arbitrary<Offers> offers() {
    return OFFERS;
  }

  /** Few backends, prefixes and names, chosen so that they collide often. */
  static final Arbitrary<Offers> OFFERS =
      Combinators.combine(
              Arbitraries.maps(
                      Arbitraries.of("a", "a__b", "b", "c"), Arbitraries.of("a", "a__b", "x", "ü"))
                  .ofMinSize(2),
              Arbitraries.of(
                      "t",
                      "b__t",
                      "a",
                      "a+t",
                      "b+t",
                      "x y",
                      "x_y",
                      "é",
                      "__",
                      "",
                      "n".repeat(56),
                      "n".repeat(62),
                      "n".repeat(63),
                      "n".repeat(64) + "é")
                  .list()
                  .ofMaxSize(12),
              Arbitraries.integers().between(0, 3).list().ofSize(12))
          .as(Offers::of);

  record Offers(Map<String, String> prefixes, List<Target> targets) {

    static Offers of(Map<String, String> prefixes, List<String> names, List<Integer> owners) {
      List<String> backends = prefixes.keySet().stream().sorted().toList();
      List<Target> targets = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        targets.add(new Target(backends.get(owners.get(i) % backends.size()), names.get(i)));
      }
      return new Offers(prefixes, targets);
    }

    List<Target> reversed() {
      List<Target> reversed = new ArrayList<>(targets);
      Collections.reverse(reversed);
      return reversed;
    }
  }
}
