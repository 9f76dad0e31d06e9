/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.policy.config.Setting;

/** The JSON schema of one setting's value. It does not check ranges of values with units. */
final class SettingSchema {
  private static final String NUMBER = "^[0-9]+(\\.[0-9]+)?";
  private static final String DURATION = NUMBER + " *(ns|us|µs|ms|s|min|h)$";
  private static final String SIZE = NUMBER + " *(B|kB|MB|GB|KiB|MiB|GiB|TiB|PiB)$";
  private static final String PERCENTAGE = NUMBER + " *%$";
  private static final String RATE = NUMBER + " *([kM]?/s|/min)$";
  private static final String GROUPED = "^[0-9][0-9_]*$";

  private SettingSchema() {}

  static ObjectNode of(Setting setting) {
    ObjectNode value = JsonNodeFactory.instance.objectNode();
    switch (setting.kind()) {
      case DURATION -> quantity(value, DURATION);
      case DURATION_OR_WORD -> quantity(value, DURATION).addObject().put("const", word(setting));
      case SIZE -> quantity(value, SIZE);
      case SHARE -> {
        ArrayNode forms = value.putArray("anyOf");
        forms.add(number(setting));
        forms.addObject().put("type", "string").put("pattern", PERCENTAGE);
      }
      case WHOLE -> {
        ArrayNode forms = value.putArray("anyOf");
        forms.add(number(setting).put("type", "integer"));
        forms.addObject().put("type", "string").put("pattern", GROUPED);
      }
      case NUMBER -> value.setAll(number(setting));
      case RATE -> value.put("type", "string").put("pattern", RATE);
      case FLAG -> value.put("type", "boolean");
      case WORD -> {
        ArrayNode words = value.putArray("enum");
        setting.words().forEach(words::add);
      }
      case TEXT -> text(value, setting);
    }
    return value;
  }

  /** The schema of a text; in a free text, editors also accept numbers and flags. */
  private static void text(ObjectNode value, Setting setting) {
    if (setting.isAnyText()) {
      value.putArray("type").add("string").add("number").add("boolean");
    } else if (setting.words().get(0).startsWith("(?")) {
      // JSON Schema has no flags in patterns.
      value.put("type", "string");
    } else {
      value.put("type", "string").put("pattern", "^(" + setting.words().get(0) + ")$");
    }
  }

  private static String word(Setting setting) {
    return setting.words().get(0);
  }

  private static ObjectNode number(Setting setting) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "number")
        .put("minimum", setting.min())
        .put("maximum", setting.max());
  }

  /** A number with a unit, or a bare 0. */
  private static ArrayNode quantity(ObjectNode value, String pattern) {
    ArrayNode forms = value.putArray("anyOf");
    forms.addObject().put("type", "string").put("pattern", pattern);
    forms.addObject().put("const", 0);
    return forms;
  }
}
