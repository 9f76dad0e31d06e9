/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import dev.manx.policy.config.YamlScalar;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Settings as texts, lists and mappings, and their YAML. */
public final class YamlText {
  private YamlText() {}

  /** A block document; lists and the mappings inside them are on one line. */
  public static String of(Map<String, ?> mapping) {
    StringBuilder out = new StringBuilder();
    block(out, mapping, "");
    return out.toString();
  }

  /** A part of a document as texts, lists and mappings. */
  public static Object tree(ConfigNode node) {
    if (node.isMapping()) {
      return mapping(node);
    }
    if (node.isList()) {
      List<Object> list = new ArrayList<>();
      node.items().forEach(item -> list.add(tree(item)));
      return list;
    }
    return node.text();
  }

  /** A mapping of a document as texts, lists and mappings; a key without a value is left out. */
  public static Map<String, Object> mapping(ConfigNode node) {
    Map<String, Object> mapping = new LinkedHashMap<>();
    for (String name : node.names()) {
      node.find(name).ifPresent(value -> mapping.put(name, tree(value)));
    }
    return mapping;
  }

  private static void block(StringBuilder out, Map<?, ?> mapping, String indent) {
    mapping.forEach(
        (key, value) -> {
          out.append(indent).append(YamlScalar.of(String.valueOf(key))).append(':');
          if (value instanceof Map<?, ?> inner && !inner.isEmpty()) {
            out.append('\n');
            block(out, inner, indent + "  ");
          } else {
            out.append(' ').append(flow(value)).append('\n');
          }
        });
  }

  private static String flow(Object value) {
    if (value instanceof Map<?, ?> mapping) {
      List<String> parts = new ArrayList<>();
      mapping.forEach((k, v) -> parts.add(YamlScalar.of(String.valueOf(k)) + ": " + flow(v)));
      return "{" + String.join(", ", parts) + "}";
    }
    if (value instanceof List<?> list) {
      return "[" + String.join(", ", list.stream().map(YamlText::flow).toList()) + "]";
    }
    return YamlScalar.of(plain(value));
  }

  /** A value as text; numbers without an exponent, which only some settings may have. */
  static String plain(Object value) {
    return value instanceof Double number && Double.isFinite(number)
        ? BigDecimal.valueOf(number).toPlainString()
        : String.valueOf(value);
  }

  /** A duration in the usual notation if exact, otherwise in nanoseconds. */
  public static String nanos(long nanos) {
    String nice = Units.duration(nanos);
    return Units.durationNanos(nice).orElse(-1) == nanos ? nice : nanos + "ns";
  }

  /** A mapping of alternating keys and values, in their order. */
  public static Map<String, Object> ordered(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(String.valueOf(pairs[i]), pairs[i + 1]);
    }
    return map;
  }
}
