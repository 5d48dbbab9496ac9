package io.fairlead.gateway;

import java.nio.file.Path;
import java.util.Map;

/**
 * What {@code serve --watch} looks at.
 *
 * @param file the configuration; what it includes is looked at too
 * @param overrides of the command line, by key
 */
record Watched(Path file, Map<String, String> overrides) {}
