/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

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
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code docs/measure/experiment-settings.md}: every key of an experiment file, from the code. */
public final class ExperimentTables {
  private static final String HEAD =
      """
      # Settings of experiments

      `./manx kinds --settings` prints this page from the code. [experiments.md](experiments.md) explains how to write an
      experiment, and `./manx kinds --schema` prints a JSON schema for editors. `NAME` stands for a name that the file
      chooses, and `[]` for an entry of a list; a list of one entry can be written without brackets. Durations are written
      with ns us ms s min h, sizes with B KiB MiB GiB, shares as 5% or 0.05, rates as 120/s or 2k/s.
      """;

  private static final String COLUMNS =
      "\n| key | default | allowed | meaning |\n|---|---|---|---|\n";

  private final StringBuilder page = new StringBuilder();

  private ExperimentTables() {}

  /**
   * The page, in Markdown.
   *
   * @param kinds the keys of each kind, by its name
   */
  public static String page(Map<String, Section> kinds) {
    ExperimentTables tables = new ExperimentTables();
    List<Key> common =
        kinds.values().iterator().next().keys().stream()
            .filter(key -> kinds.values().stream().allMatch(kind -> kind.keys().contains(key)))
            .toList();
    tables.page.append(HEAD).append("\n## Every kind\n").append(COLUMNS);
    tables.rows("", "", common);
    kinds.forEach(
        (on, section) -> {
          tables.page.append("\n## on: ").append(on).append('\n').append(COLUMNS);
          tables.rows(
              "", "", section.keys().stream().filter(key -> !common.contains(key)).toList());
        });
    return tables.page.toString();
  }

  private void rows(String path, String when, List<Key> keys) {
    for (Key key : keys) {
      String place = path + key.name();
      page.append("| `").append(place).append("` | ").append(cell(standard(key))).append(" | ");
      page.append(cell(allowed(key.shape()))).append(" | ");
      page.append(when.isEmpty() ? "" : "(" + when + ") ");
      page.append(cell(key.meaning())).append(" |\n");
      inside(place, when, key.shape());
    }
  }

  private void inside(String place, String when, Shape shape) {
    if (shape instanceof Section section) {
      rows(place + ".", when, section.keys());
    } else if (shape instanceof Items items) {
      inside(place + "[]", when, items.item());
    } else if (shape instanceof Named named) {
      inside(place + ".NAME", when, named.each());
    } else if (shape instanceof Forms forms) {
      forms.forms().forEach(form -> inside(place, form.when(), form.shape()));
    }
  }

  /** A key's default as text. */
  static String standard(Key key) {
    if (key.presence() == Key.Presence.REQUIRED) {
      return "required";
    }
    if (key.standard() instanceof List<?> list) {
      return list.stream().map(Object::toString).collect(Collectors.joining(", ", "[", "]"));
    }
    if (key.standard() == null || key.standard() instanceof Map<?, ?>) {
      return key.otherwise();
    }
    return key.shape() instanceof Scalar scalar
        ? scalar.setting().write(key.standard())
        : key.standard().toString();
  }

  /** The allowed values of a shape, in words; empty for a mapping of keys. */
  static String allowed(Shape shape) {
    if (shape instanceof Scalar scalar) {
      return scalar.setting().range();
    }
    if (shape instanceof Quantity quantity) {
      return quantity.units().stream()
          .map(unit -> unit.range() + " " + unit.meaning())
          .collect(Collectors.joining("; "));
    }
    if (shape instanceof Items items) {
      return allowed(items.item());
    }
    if (shape instanceof Named named) {
      String each = allowed(named.each());
      return named.allowed() + (each.isEmpty() ? "" : ", each " + each);
    }
    if (shape instanceof Document document) {
      return document.allowed();
    }
    return shape instanceof Forms forms
        ? forms.forms().stream()
            .map(Forms.Form::shape)
            .filter(Scalar.class::isInstance)
            .map(one -> ((Scalar) one).setting())
            .map(Setting::range)
            .collect(Collectors.joining(", "))
        : "";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
