package io.fairlead.gateway.config;

import com.typesafe.config.ConfigUtil;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is found while a configuration is read: problems with their places, and secrets.
 *
 * <p>Thread: one at a time.
 */
final class Findings {
  private final ConfigTree tree;
  private final List<ConfigProblem> problems = new ArrayList<>();
  private final Set<String> refused = new HashSet<>();

  Findings(ConfigTree tree) {
    this.tree = tree;
  }

  List<ConfigProblem> problems() {
    return problems;
  }

  /** One problem a key: what is said next may only follow from it. */
  void refuse(List<String> path, String what, String remedy) {
    String key = ConfigUtil.joinPath(path);
    if (refused.add(key)) {
      problems.add(new ConfigProblem(tree.where(path), key, what, remedy));
    }
  }

  /** The broken rules of a record, without those about keys that are refused already. */
  void refuse(List<String> section, InvalidConfig broken) {
    for (Fault fault : broken.faults()) {
      List<List<String>> paths = fault.keys().stream().map(key -> join(section, key)).toList();
      if (paths.stream().map(ConfigUtil::joinPath).noneMatch(refused::contains)) {
        problems.add(
            new ConfigProblem(
                tree.where(paths.get(0)),
                ConfigUtil.joinPath(paths.get(0)),
                fault.what(),
                fault.remedy()));
      }
    }
  }

  void mask(List<String> path, String shown) {
    tree.mask(path, shown);
  }

  private static List<String> join(List<String> section, String key) {
    List<String> path = new ArrayList<>(section);
    path.addAll(ConfigUtil.splitPath(key));
    return path;
  }
}
