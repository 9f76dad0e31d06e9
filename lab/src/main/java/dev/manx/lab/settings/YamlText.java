/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Settings as texts, lists and mappings, and their YAML. */
public final class YamlText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./+-][A-Za-z0-9_./%+ -]*");
  private static final Pattern WORD = Pattern.compile("(?i)null|~|-|---");

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
          out.append(indent).append(scalar(String.valueOf(key))).append(':');
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
      mapping.forEach((k, v) -> parts.add(scalar(String.valueOf(k)) + ": " + flow(v)));
      return "{" + String.join(", ", parts) + "}";
    }
    if (value instanceof List<?> list) {
      return "[" + String.join(", ", list.stream().map(YamlText::flow).toList()) + "]";
    }
    return scalar(String.valueOf(value));
  }

  private static String scalar(String text) {
    if (PLAIN.matcher(text).matches()
        && !text.endsWith(" ")
        && !text.startsWith("- ")
        && !WORD.matcher(text).matches()) {
      return text;
    }
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        case '\r' -> out.append("\\r");
        default -> out.append(isPrintable(c) ? c : String.format("\\u%04x", (int) c));
      }
    }
    return out.append('"').toString();
  }

  /** Other characters are invalid in a document, or would end a line. */
  private static boolean isPrintable(char c) {
    return c >= ' ' && (c < 0x7f || c > 0x9f) && c != 0x2028 && c != 0x2029 && c < 0xfefe;
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
