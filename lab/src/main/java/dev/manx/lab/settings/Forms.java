/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * One of several shapes. The first matching shape is read; if none matches, the last shape. A
 * default is a single value, written unchanged.
 *
 * @param forms in the order of the reference
 */
public record Forms(List<Form> forms) implements Shape {
  /**
   * A shape and its condition.
   *
   * @param when in words, for the reference: {@code kind: fixed}
   * @param fits whether a value is intended to have this shape
   */
  public record Form(String when, Predicate<ConfigNode> fits, Shape shape) {}

  record Chosen(Shape shape, Object value) {}

  public Forms {
    forms = List.copyOf(forms);
  }

  public static Forms of(Form... forms) {
    return new Forms(List.of(forms));
  }

  /** A shape for values other than lists and mappings. */
  public static Form single(Setting setting) {
    return new Form("a single value", n -> !n.isMapping() && !n.isList(), new Scalar(setting));
  }

  /** A mapping that has a key. */
  public static Form having(String key, Section section) {
    return new Form("with " + key, n -> n.isMapping() && n.names().contains(key), section);
  }

  /** A shape for all other values. */
  public static Form otherwise(String when, Shape shape) {
    return new Form(when, node -> true, shape);
  }

  /**
   * Mappings with a key that names their kind, and with kind-specific keys.
   *
   * @param kind the words; required if it has no default
   * @param sections the keys of each kind, apart from the kind
   */
  public static Forms byKind(Setting kind, Map<String, Section> sections) {
    List<Form> forms = new ArrayList<>();
    for (String word : kind.words()) {
      Setting constant = Setting.word(kind.name(), kind.meaning(), word);
      Key key = word.equals(kind.standard()) ? Key.of(constant) : Key.required(constant);
      List<Key> keys = new ArrayList<>(List.of(key));
      keys.addAll(sections.get(word).keys());
      forms.add(
          new Form(kind.name() + ": " + word, node -> isOf(node, kind, word), new Section(keys)));
    }
    return new Forms(forms);
  }

  public Forms or(Form form) {
    List<Form> more = new ArrayList<>(forms);
    more.add(form);
    return new Forms(more);
  }

  private static boolean isOf(ConfigNode node, Setting kind, String word) {
    return node.find(kind.name()).map(kind::read).orElse(kind.standard()) instanceof String said
        && said.equals(word);
  }

  @Override
  public Object read(ConfigNode node) {
    for (Form form : forms) {
      if (form.fits.test(node)) {
        return new Chosen(form.shape, form.shape.read(node));
      }
    }
    Shape last = forms.get(forms.size() - 1).shape;
    return new Chosen(last, last.read(node));
  }

  @Override
  public Object written(Object value) {
    if (value instanceof Chosen chosen) {
      return chosen.shape.written(chosen.value);
    }
    return value instanceof Part part ? part.written() : value;
  }
}
