/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.lab.settings.Document;
import dev.manx.lab.settings.Forms;
import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Named;
import dev.manx.lab.settings.Quantity;
import dev.manx.lab.settings.Scalar;
import dev.manx.lab.settings.Section;
import dev.manx.lab.settings.Shape;
import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;
import java.util.List;
import java.util.Map;

/**
 * A JSON schema of experiment files, for editors that complete and check YAML. It does not contain
 * rules between settings; Manx checks those when it reads the file.
 */
public final class ExperimentSchema {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String DEFINITIONS = "$defs";

  private ExperimentSchema() {}

  /**
   * The schema of a file of any kind.
   *
   * @param kinds the keys of each kind, by its name
   */
  public static ObjectNode of(Map<String, Section> kinds, List<PolicyInfo> policies) {
    ObjectNode top = JSON.objectNode();
    top.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    top.put("title", "An experiment of Manx");
    top.put("type", "object");
    top.putArray("required").add("on");
    ObjectNode definitions = top.putObject(DEFINITIONS);
    StrategySchema.documents(policies).forEach(definitions::set);
    ArrayNode names = top.putObject("properties").putObject("on").putArray("enum");
    ArrayNode all = top.putArray("allOf");
    kinds.forEach(
        (on, section) -> {
          names.add(on);
          ObjectNode one = all.addObject();
          one.putObject("if").putObject("properties").putObject("on").put("const", on);
          one.set("then", of(section, definitions));
        });
    return top;
  }

  private static ObjectNode of(Shape shape, ObjectNode definitions) {
    ObjectNode schema = JSON.objectNode();
    if (shape instanceof Scalar scalar) {
      return SettingSchema.of(scalar.setting());
    }
    if (shape instanceof Quantity quantity) {
      ArrayNode units = schema.putArray("anyOf");
      quantity.units().forEach(unit -> units.add(described(SettingSchema.of(unit), unit)));
    } else if (shape instanceof Items items) {
      ArrayNode forms = schema.putArray("anyOf");
      forms.add(of(items.item(), definitions));
      forms.addObject().put("type", "array").set("items", of(items.item(), definitions));
    } else if (shape instanceof Named named) {
      schema.put("type", "object");
      schema.putObject("propertyNames").put("pattern", "^(" + named.form() + ")$");
      schema.set("additionalProperties", of(named.each(), definitions));
    } else if (shape instanceof Forms forms) {
      ArrayNode any = schema.putArray("anyOf");
      forms.forms().forEach(form -> any.add(of(form.shape(), definitions)));
    } else if (shape instanceof Document document && definitions.has(document.owner())) {
      schema.put("$ref", "#/" + DEFINITIONS + "/" + document.owner());
    } else if (shape instanceof Section section) {
      mapping(schema, section, definitions);
    }
    return schema;
  }

  private static void mapping(ObjectNode schema, Section section, ObjectNode definitions) {
    schema.put("type", "object").put("additionalProperties", false);
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = JSON.arrayNode();
    for (Key key : section.keys()) {
      ObjectNode value = of(key.shape(), definitions);
      String allowed = ExperimentTables.allowed(key.shape());
      value.put("description", key.meaning() + (allowed.isEmpty() ? "" : "; " + allowed));
      String standard = ExperimentTables.standard(key);
      if (key.presence() == Key.Presence.DEFAULT && !standard.isEmpty()) {
        value.put("default", standard);
      }
      properties.set(key.name(), value);
      if (key.presence() == Key.Presence.REQUIRED) {
        required.add(key.name());
      }
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
  }

  private static ObjectNode described(ObjectNode schema, Setting setting) {
    return schema.put("description", setting.meaning() + "; " + setting.range());
  }
}
