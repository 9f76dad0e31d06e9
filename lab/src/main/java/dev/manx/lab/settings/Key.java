/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.Setting;
import java.util.List;

/**
 * One key of a mapping.
 *
 * @param name as written
 * @param shape of its value
 * @param presence whether it is required
 * @param standard the value if the file has none; null without a default
 * @param isWritten whether a resolved file contains it even if its value is the default
 * @param otherwise effect of a missing value without a default, in words, for the reference; may be
 *     empty
 * @param meaning one line for the reference
 */
public record Key(
    String name,
    Shape shape,
    Presence presence,
    Object standard,
    boolean isWritten,
    String otherwise,
    String meaning) {
  public enum Presence {
    REQUIRED,
    /** If missing, its default applies. */
    DEFAULT,
    /** If missing, it has no value. */
    OPTIONAL
  }

  /** A setting with a default. */
  public static Key of(Setting setting) {
    return new Key(
        setting.name(),
        new Scalar(setting),
        Presence.DEFAULT,
        setting.standard(),
        true,
        "",
        setting.meaning());
  }

  /** A required setting; its default is ignored. */
  public static Key required(Setting setting) {
    return required(setting.name(), new Scalar(setting.withoutStandard()), setting.meaning());
  }

  /** An optional setting; its default is ignored. */
  public static Key optional(Setting setting) {
    return optional(setting.name(), new Scalar(setting.withoutStandard()), setting.meaning());
  }

  public static Key required(String name, Shape shape, String meaning) {
    return new Key(name, shape, Presence.REQUIRED, null, true, "", meaning);
  }

  public static Key optional(String name, Shape shape, String meaning) {
    return new Key(name, shape, Presence.OPTIONAL, null, true, "", meaning);
  }

  public static Key of(Setting item, List<?> standard) {
    return new Key(
        item.name(),
        new Items(new Scalar(item.withoutStandard())),
        Presence.DEFAULT,
        List.copyOf(standard),
        true,
        "",
        item.meaning());
  }

  public static Key requiredItems(Setting item) {
    return required(item.name(), new Items(new Scalar(item.withoutStandard())), item.meaning());
  }

  public static Key optionalItems(Setting item) {
    return optional(item.name(), new Items(new Scalar(item.withoutStandard())), item.meaning());
  }

  /** A mapping that is optional because all of its keys are. */
  public static Key of(String name, Section section, String meaning) {
    return new Key(name, section, Presence.DEFAULT, null, true, "", meaning);
  }

  /** A part with a default of the type returned by the shape. */
  public static Key of(String name, Shape shape, Object standard, String meaning) {
    return new Key(name, shape, Presence.DEFAULT, standard, true, "", meaning);
  }

  /** Returns this key with words for the effect of its absence. */
  public Key otherwise(String words) {
    return new Key(name, shape, presence, standard, isWritten, words, meaning);
  }

  /** Returns this key, written to a resolved file only if its value is not the default. */
  public Key quiet() {
    return new Key(name, shape, presence, standard, false, otherwise, meaning);
  }

  /** The default value, or null. */
  Object absent() {
    return shape instanceof Section section && presence == Presence.DEFAULT
        ? section.empty()
        : standard;
  }
}
