package io.fairlead.gateway.route;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The names that clients see for what several backends offer. With one backend nobody asks here:
 * its names are left as they are.
 *
 * <p>Tools and prompts, each in a name space of their own:
 *
 * <ol>
 *   <li>A name is {@code <prefix>__<name>}; the prefix is configured, or else the backend's name.
 *   <li>If that is longer than 64 characters, or has other characters than {@code A-Z a-z 0-9 _ . -
 *       }, it is marked: other characters become {@code _}, it is cut, and it ends with {@code _}
 *       and 8 hexadecimal digits of a hash of backend and name.
 *   <li>If two backends come to the same name (they share a prefix, or one's prefix begins like the
 *       other's), the backend that is first in the order of names keeps it, and the later one's is
 *       marked. Names that need no mark come before those that do.
 * </ol>
 *
 * <p>URIs and URI templates are left as they are unless two backends offer the same one; then each
 * of these, and no other, becomes {@code <backend>+<uri>}.
 *
 * <p>All this follows from the configuration and from what is offered alone, never from the order
 * in which backends came up or listed, so names are the same after a restart.
 *
 * <p>Thread: any; immutable.
 */
final class Naming {
  static final int MAX_NAME = 64;
  private static final String SEPARATOR = "__";
  private static final int MARK_DIGITS = 8;
  private static final Comparator<Target> ORDER =
      Comparator.comparing(Target::backend).thenComparing(Target::name);

  private final SortedMap<String, String> prefixes;

  /**
   * @param prefixes by backend name, for all backends of the view
   */
  Naming(Map<String, String> prefixes) {
    this.prefixes = new TreeMap<>(prefixes);
  }

  /** What the names of {@code backend} begin with. */
  String start(String backend) {
    return prefixes.get(backend) + SEPARATOR;
  }

  /** The names of tools, or of prompts: one for each target, no two the same. */
  Map<Target, String> names(Collection<Target> targets) {
    Map<Target, String> names = new HashMap<>();
    Set<String> taken = new HashSet<>();
    List<Target> marked = new ArrayList<>();
    for (Target target : ordered(targets)) {
      String name = start(target.backend()) + target.name();
      if (fits(name) && taken.add(name)) {
        names.put(target, name);
      } else {
        marked.add(target);
      }
    }
    for (Target target : marked) {
      String name = mark(target, 0);
      for (int attempt = 1; !taken.add(name); attempt++) {
        name = mark(target, attempt);
      }
      names.put(target, name);
    }
    return names;
  }

  /**
   * The client-side URIs of resources, or of templates: one for each target, no two the same, in
   * the order of backends.
   */
  Map<Target, String> uris(Collection<Target> targets) {
    Set<Target> ordered = ordered(targets);
    Map<String, Integer> owners = new HashMap<>();
    ordered.forEach(target -> owners.merge(target.name(), 1, Integer::sum));
    Map<Target, String> uris = new LinkedHashMap<>();
    Set<String> taken = new HashSet<>(owners.keySet());
    for (Target target : ordered) {
      String uri = target.name();
      if (owners.get(uri) > 1) {
        do {
          uri = owned(target.backend(), uri);
        } while (!taken.add(uri));
      }
      uris.put(target, uri);
    }
    return uris;
  }

  /** The name of something that is not in the catalog, if it needs no mark. */
  Optional<String> name(Target target) {
    return Optional.of(start(target.backend()) + target.name()).filter(Naming::fits);
  }

  /** Where a name that is not in the catalog leads by its prefix: the longest one decides. */
  Optional<Target> byPrefix(String name) {
    return split(name, this::start);
  }

  /** Where a URI that is not in the catalog leads by the backend's name before it. */
  Optional<Target> byOwner(String uri) {
    return split(uri, backend -> owned(backend, ""));
  }

  /** {@code uri} under the name of {@code backend}: still a URI. */
  static String owned(String backend, String uri) {
    return backend + "+" + uri;
  }

  private Optional<Target> split(String name, UnaryOperator<String> startOf) {
    Optional<Target> found = Optional.empty();
    int longest = 0;
    for (String backend : prefixes.keySet()) {
      int length = startOf.apply(backend).length();
      if (length > longest && length < name.length() && name.startsWith(startOf.apply(backend))) {
        longest = length;
        found = Optional.of(new Target(backend, name.substring(length)));
      }
    }
    return found;
  }

  private static Set<Target> ordered(Collection<Target> targets) {
    Set<Target> ordered = new TreeSet<>(ORDER);
    ordered.addAll(targets);
    return ordered;
  }

  private static boolean fits(String name) {
    return name.length() <= MAX_NAME && name.chars().allMatch(Naming::isKept);
  }

  private static boolean isKept(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '.'
        || c == '-';
  }

  private String mark(Target target, int attempt) {
    StringBuilder name = new StringBuilder(start(target.backend())).append(target.name());
    name.setLength(Math.min(name.length(), MAX_NAME - 1 - MARK_DIGITS));
    for (int i = 0; i < name.length(); i++) {
      if (!isKept(name.charAt(i))) {
        name.setCharAt(i, '_');
      }
    }
    return name.append('_').append(hash(target, attempt)).toString();
  }

  private static String hash(Target target, int attempt) {
    String text = target.backend() + '\0' + target.name() + (attempt == 0 ? "" : "\0" + attempt);
    byte[] digest = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest, 0, MARK_DIGITS / 2);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
