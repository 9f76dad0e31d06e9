/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.Setting;
import java.util.List;

/**
 * One key of a mapping.
 *
 * @param name as written
 * @param shape of its value
 * @param presence whether it must be there
 * @param standard the value where the file has none; null where there is no default
 * @param isWritten whether a resolved file holds it although its value is the default
 * @param otherwise in words, what holds where the file has no value and there is no default, for
 *     the reference; may be empty
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
  /** Whether a key must be there. */
  public enum Presence {
    /** It must. */
    REQUIRED,
    /** Where it is missing, its default holds. */
    DEFAULT,
    /** It may be missing, and then has no value. */
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

  /** A setting that must be there; a default of it does not count. */
  public static Key required(Setting setting) {
    return required(setting.name(), new Scalar(setting.withoutStandard()), setting.meaning());
  }

  /** A setting that may be missing; a default of it does not count. */
  public static Key optional(Setting setting) {
    return optional(setting.name(), new Scalar(setting.withoutStandard()), setting.meaning());
  }

  /** A part that must be there. */
  public static Key required(String name, Shape shape, String meaning) {
    return new Key(name, shape, Presence.REQUIRED, null, true, "", meaning);
  }

  /** A part that may be missing. */
  public static Key optional(String name, Shape shape, String meaning) {
    return new Key(name, shape, Presence.OPTIONAL, null, true, "", meaning);
  }

  /** A list of values with a default. */
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

  /** A list of values that must be there. */
  public static Key requiredItems(Setting item) {
    return required(item.name(), new Items(new Scalar(item.withoutStandard())), item.meaning());
  }

  /** A list of values that may be missing. */
  public static Key optionalItems(Setting item) {
    return optional(item.name(), new Items(new Scalar(item.withoutStandard())), item.meaning());
  }

  /** A mapping that may be missing because all of its keys may. */
  public static Key of(String name, Section section, String meaning) {
    return new Key(name, section, Presence.DEFAULT, null, true, "", meaning);
  }

  /** A part with a default, of the kind that the shape reads. */
  public static Key of(String name, Shape shape, Object standard, String meaning) {
    return new Key(name, shape, Presence.DEFAULT, standard, true, "", meaning);
  }

  /** The same key, with words for what holds where the file does not have it. */
  public Key otherwise(String words) {
    return new Key(name, shape, presence, standard, isWritten, words, meaning);
  }

  /** The same key, which a resolved file holds only where its value is not the default. */
  public Key quiet() {
    return new Key(name, shape, presence, standard, false, otherwise, meaning);
  }

  /** The value where the file has none, or null. */
  Object absent() {
    return shape instanceof Section section && presence == Presence.DEFAULT
        ? section.empty()
        : standard;
  }
}
