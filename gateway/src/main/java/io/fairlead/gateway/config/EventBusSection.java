package io.fairlead.gateway.config;

import com.typesafe.config.ConfigObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads a backend of type {@code event-bus}, and its tools by name. A tool has what {@code
 * each-tool} says unless it says otherwise.
 *
 * <p>Thread: one at a time.
 */
final class EventBusSection {
  /** The keys under which anything may be written. */
  static final Set<String> MAPS = Set.of("tools", "input-schema", "output-schema", "annotations");

  private static final String EACH_TOOL = "each-tool";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private EventBusSection() {}

  static BackendConfig read(SectionReader section) {
    Optional<Boolean> each =
        section.section(
            EACH_TOOL,
            common -> {
              common.secrets("headers");
              return common.likeBuiltIn(BackendSection.MAPS);
            });
    ConfigObject common = section.known(EACH_TOOL);
    Optional<Map<String, EventBusTool>> tools =
        section.section("tools", names -> tools(names, common, section.builtIn(EACH_TOOL)));
    int maxPending = section.integer("max-pending");
    Optional<String> prefix = section.textOrAuto("prefix");
    Optional<CallTimeout> callTimeout = CallTimeout.read(section);
    return new BackendConfig.EventBus(
        tools.filter(found -> each.isPresent()).orElseThrow(EventBusSection::refused),
        maxPending,
        prefix,
        callTimeout);
  }

  private static Map<String, EventBusTool> tools(
      SectionReader section, ConfigObject common, ConfigObject builtIn) {
    Map<String, EventBusTool> tools = new TreeMap<>();
    boolean complete = true;
    for (String name : section.names()) {
      if (!NAME.matcher(name).matches()) {
        section.refuse(name, "is not a name for a tool", "write up to 64 letters, digits, _ and -");
      }
      Optional<EventBusTool> tool = section.section(name, common, builtIn, EventBusSection::tool);
      tool.ifPresent(found -> tools.put(name, found));
      complete &= tool.isPresent();
    }
    if (!complete) {
      throw refused();
    }
    return tools;
  }

  private static EventBusTool tool(SectionReader section) {
    section.section(
        "input-schema",
        schema -> {
          schema.leaveRest();
          return schema.choice("type", Map.of("object", true));
        });
    return new EventBusTool(
        section.text("address"),
        section.text("description"),
        section.secrets("headers"),
        section.json("input-schema").orElse("{}"),
        section.json("output-schema"),
        section.json("annotations"));
  }

  /** Every problem is told already. */
  private static InvalidConfig refused() {
    return new InvalidConfig(List.of());
  }
}
