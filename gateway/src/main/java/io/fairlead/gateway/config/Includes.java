package io.fairlead.gateway.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigObject;
import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Notes which files a configuration includes, those that are not there or empty too: HOCON passes
 * over them in silence.
 *
 * <p>Thread: one at a time.
 */
final class Includes implements ConfigIncluder, ConfigIncluderFile {
  private static final List<String> ENDINGS = List.of("", ".conf", ".json", ".properties");

  private final Map<String, String> present;
  private final Set<String> absent;
  private final Optional<ConfigIncluder> library;

  Includes() {
    this(new TreeMap<>(), new TreeSet<>(), Optional.empty());
  }

  private Includes(
      Map<String, String> present, Set<String> absent, Optional<ConfigIncluder> library) {
    this.present = present;
    this.absent = absent;
    this.library = library;
  }

  /** The files that {@code before} found, and that are still named and hold nothing any more. */
  List<String> vanishedSince(Includes before) {
    return absent.stream().map(before.present::get).filter(Objects::nonNull).toList();
  }

  /** What is included, found or not, in an order of its own. */
  String names() {
    return present.values() + " " + absent;
  }

  @Override
  public ConfigIncluder withFallback(ConfigIncluder fallback) {
    return new Includes(present, absent, Optional.of(fallback));
  }

  @Override
  public ConfigObject include(ConfigIncludeContext context, String what) {
    note(
        what,
        ENDINGS.stream()
            .map(ending -> context.relativeTo(what + ending))
            .filter(Objects::nonNull)
            .map(named -> named.origin().filename())
            .filter(Objects::nonNull));
    return library.orElseThrow().include(context, what);
  }

  @Override
  public ConfigObject includeFile(ConfigIncludeContext context, File what) {
    note(what.getPath(), ENDINGS.stream().map(ending -> what.getPath() + ending));
    return ((ConfigIncluderFile) library.orElseThrow()).includeFile(context, what);
  }

  private void note(String what, Stream<String> names) {
    names
        .map(File::new)
        .peek(Includes::refuseToWait)
        .filter(file -> file.isFile() && file.length() > 0)
        .map(File::getPath)
        .findFirst()
        .ifPresentOrElse(found -> present.put(what, found), () -> absent.add(what));
  }

  /** To open a pipe or a device may wait for ever; a directory counts as absent. */
  private static void refuseToWait(File file) {
    if (file.exists() && !file.isFile() && !file.isDirectory()) {
      throw new ConfigException.Generic(
          "the file that is included is not a regular one, value=" + file.getPath());
    }
  }
}
