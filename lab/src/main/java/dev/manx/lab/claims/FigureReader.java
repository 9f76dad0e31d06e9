/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.claims.FigureSpec.Case;
import dev.manx.lab.claims.FigureSpec.Form;
import dev.manx.lab.claims.FigureSpec.Take;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads one figure: {@code of arm class load params} for the side, each one value or a list; {@code
 * over} for the other side, an arm or a mapping of these keys, with missing keys as on the first
 * side; {@code as take unit even-saturated run}.
 */
final class FigureReader {
  private final ConfigNode node;

  private FigureReader(ConfigNode node) {
    this.node = node;
  }

  /**
   * Reads a figure.
   *
   * @param run used if the figure names none
   */
  static FigureSpec read(ConfigNode node, String run) {
    return new FigureReader(node).read(run);
  }

  private FigureSpec read(String run) {
    Optional<ConfigNode> over = node.find("over");
    Form form =
        node.find("as")
            .map(n -> n.oneOf("value", "ratio", "gain", "reduction", "increase", "difference"))
            .map(text -> Form.valueOf(text.toUpperCase(Locale.ROOT)))
            .orElse(over.isPresent() ? Form.RATIO : Form.VALUE);
    if (over.isPresent() == (form == Form.VALUE)) {
      throw node.refuse("'over' with every form but value, and only with those");
    }
    List<Case> cases = cases(over);
    Take take =
        node.find("take")
            .map(n -> n.oneOf("max", "min", "max-of-least"))
            .map(text -> Take.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_')))
            .orElse(Take.ONLY);
    if ((cases.size() > 1) == (take == Take.ONLY)) {
      throw node.refuse(
          "take: max, min or max-of-least where a list gives several cases, and only there");
    }
    FigureSpec spec =
        new FigureSpec(
            node.find("run").map(ConfigNode::text).orElse(run),
            cases,
            form,
            take,
            node.find("unit").map(ConfigNode::text).orElse(unit(form)),
            node.find("even-saturated").map(ConfigNode::flag).orElse(false));
    node.noOtherKeys();
    return spec;
  }

  private static String unit(Form form) {
    return switch (form) {
      case RATIO, GAIN -> "x";
      case REDUCTION, INCREASE -> "%";
      case VALUE, DIFFERENCE -> "";
    };
  }

  private List<Case> cases(Optional<ConfigNode> over) {
    List<Case> cases = new ArrayList<>();
    List<Map<String, String>> params =
        node.find("params")
            .map(n -> n.items().stream().map(FigureReader::params).toList())
            .orElse(List.of(Map.of()));
    for (String quantity : texts("of", null)) {
      for (String arm : texts("arm", null)) {
        for (String requestClass : texts("class", "all")) {
          for (String load : texts("load", "")) {
            for (Map<String, String> point : params) {
              Operand side = new Operand(arm, requestClass, load, quantity, point);
              for (Optional<Operand> base : bases(over, side)) {
                cases.add(new Case(side, base));
              }
            }
          }
        }
      }
    }
    return cases;
  }

  /** The other sides of a comparison: the first side with each named arm, or as in a mapping. */
  private static List<Optional<Operand>> bases(Optional<ConfigNode> over, Operand side) {
    if (over.isEmpty()) {
      return List.of(Optional.empty());
    }
    if (!over.get().isMapping()) {
      return over.get().items().stream()
          .map(ConfigNode::text)
          .map(arm -> Optional.of(with(side, arm)))
          .toList();
    }
    ConfigNode other = over.get();
    Operand base =
        new Operand(
            other.find("arm").map(ConfigNode::text).orElse(side.arm()),
            other.find("class").map(ConfigNode::text).orElse(side.requestClass()),
            other.find("load").map(ConfigNode::text).orElse(side.load()),
            other.find("of").map(ConfigNode::text).orElse(side.quantity()),
            other.find("params").map(FigureReader::params).orElse(side.params()));
    other.noOtherKeys();
    return List.of(Optional.of(base));
  }

  private static Operand with(Operand side, String arm) {
    return new Operand(arm, side.requestClass(), side.load(), side.quantity(), side.params());
  }

  private List<String> texts(String key, String otherwise) {
    if (otherwise == null) {
      return node.at(key).items().stream().map(ConfigNode::text).toList();
    }
    return node.find(key)
        .map(n -> n.items().stream().map(ConfigNode::text).toList())
        .orElse(List.of(otherwise));
  }

  private static Map<String, String> params(ConfigNode node) {
    Map<String, String> params = new LinkedHashMap<>();
    node.names().forEach(name -> params.put(name, node.at(name).text()));
    return params;
  }
}
