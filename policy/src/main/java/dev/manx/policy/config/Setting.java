/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * One setting: its name, kind, default and range.
 *
 * @param name its key in YAML
 * @param kind its notation and the type of its value
 * @param standard the default: Long for durations (nanoseconds), sizes (bytes) and whole numbers,
 *     Double for shares, numbers and rates (per second), Boolean for flags, String for words and
 *     texts; null for a setting without a default
 * @param min least value, for ordered kinds
 * @param max largest value, for ordered kinds
 * @param words the allowed words, or the word that may replace a duration; for a text its form as a
 *     regular expression and in words; otherwise empty
 * @param meaning one line of description for the reference
 */
public record Setting(
    String name,
    Kind kind,
    Object standard,
    double min,
    double max,
    List<String> words,
    String meaning) {
  private static final String ANY = "[\\s\\S]*";

  /** The notation of a value. */
  public enum Kind {
    /** {@code 5ms}. */
    DURATION,
    /** {@code 5ms}, or a word for a duration that the policy determines. */
    DURATION_OR_WORD,
    /** {@code 64KiB}. */
    SIZE,
    /** {@code 5%} or {@code 0.05}. */
    SHARE,
    /** {@code 65536}. */
    WHOLE,
    /** {@code 1.5}. */
    NUMBER,
    /** {@code 120/s}. */
    RATE,
    /** {@code true} or {@code false}. */
    FLAG,
    /** One of a few words. */
    WORD,
    /** Text of a given form. */
    TEXT
  }

  /** A duration, with its default and range as written in YAML: {@code "500ms"}. */
  public static Setting duration(
      String name, String standard, String min, String max, String meaning) {
    return new Setting(
        name, Kind.DURATION, nanos(standard), nanos(min), nanos(max), List.of(), meaning);
  }

  /** A duration, or a word, which is the default and has the value {@link Values#BY_ITSELF}. */
  public static Setting durationOr(
      String word, String name, String min, String max, String meaning) {
    return new Setting(
        name,
        Kind.DURATION_OR_WORD,
        Values.BY_ITSELF,
        nanos(min),
        nanos(max),
        List.of(word),
        meaning);
  }

  /** A size, with its default and range as written in YAML: {@code "64KiB"}. */
  public static Setting size(String name, String standard, String min, String max, String meaning) {
    return new Setting(
        name, Kind.SIZE, bytes(standard), bytes(min), bytes(max), List.of(), meaning);
  }

  /** A share. */
  public static Setting share(
      String name, double standard, double min, double max, String meaning) {
    return new Setting(name, Kind.SHARE, standard, min, max, List.of(), meaning);
  }

  /** A whole number. */
  public static Setting whole(String name, long standard, long min, long max, String meaning) {
    return new Setting(name, Kind.WHOLE, standard, min, max, List.of(), meaning);
  }

  /** A number with a fraction. */
  public static Setting number(
      String name, double standard, double min, double max, String meaning) {
    return new Setting(name, Kind.NUMBER, standard, min, max, List.of(), meaning);
  }

  /** A rate, with its default and range per second. */
  public static Setting rate(String name, double standard, double min, double max, String meaning) {
    return new Setting(name, Kind.RATE, standard, min, max, List.of(), meaning);
  }

  /** A flag. */
  public static Setting flag(String name, boolean standard, String meaning) {
    return new Setting(name, Kind.FLAG, standard, 0, 0, List.of(), meaning);
  }

  /** One of a few words; the first is the default. */
  public static Setting word(String name, String meaning, String... words) {
    return new Setting(name, Kind.WORD, words[0], 0, 0, List.of(words), meaning);
  }

  /** One of an enum's constants, written in lower case with hyphens; the first is the default. */
  public static <E extends Enum<E>> Setting choice(String name, Class<E> choices, String meaning) {
    return word(
        name,
        meaning,
        Arrays.stream(choices.getEnumConstants()).map(Setting::written).toArray(String[]::new));
  }

  /** A text of a form given as a regular expression and in words. */
  public static Setting text(
      String name, String standard, String form, String allowed, String meaning) {
    return new Setting(name, Kind.TEXT, standard, 0, 0, List.of(form, allowed), meaning);
  }

  /** The path of a file. */
  public static Setting path(String name, String standard, String meaning) {
    return text(name, standard, ".+", "a path", meaning);
  }

  /** Any text. */
  public static Setting anyText(String name, String standard, String meaning) {
    return text(name, standard, ANY, "any text", meaning);
  }

  /** Whether this setting is an unrestricted text. */
  public boolean isAnyText() {
    return kind == Kind.TEXT && words.get(0).equals(ANY);
  }

  /** The same setting without a default. */
  public Setting withoutStandard() {
    return withStandard(null);
  }

  /**
   * The value in a mapping, or another if the mapping lacks it.
   *
   * @throws ConfigException if it is refused
   */
  public Object readOr(ConfigNode mapping, Object otherwise) {
    return mapping.find(name).map(this::read).orElse(otherwise);
  }

  /**
   * Checks a number or duration that came from code against the range for written values.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public void check(Number value) {
    if (!(value.doubleValue() >= min && value.doubleValue() <= max)) {
      throw new IllegalArgumentException(
          name
              + " = "
              + (Double.isFinite(value.doubleValue()) ? write(value) : value)
              + " is invalid; allowed: "
              + range());
    }
  }

  /**
   * Checks a text that came from code against the form for written values.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public void check(String value) {
    if (!Objects.requireNonNull(value, name).matches(words.get(0))) {
      throw new IllegalArgumentException(
          name + " = '" + value + "' is invalid; allowed: " + range());
    }
  }

  /** The same setting with another default. */
  public Setting withStandard(Object other) {
    return new Setting(name, kind, other, min, max, words, meaning);
  }

  /** The same setting with another range. */
  public Setting withRange(double least, double most) {
    return new Setting(name, kind, standard, least, most, words, meaning);
  }

  /**
   * Reads a value.
   *
   * @throws ConfigException if it is refused
   */
  public Object read(ConfigNode node) {
    return switch (kind) {
      case DURATION -> node.durationNanos((long) min, (long) max);
      case DURATION_OR_WORD -> durationOrWord(node);
      case SIZE -> node.bytes((long) min, (long) max);
      case SHARE -> node.fraction(min, max);
      case WHOLE -> node.integer((long) min, (long) max);
      case NUMBER -> node.number(min, max);
      case RATE -> node.perSecond(min, max);
      case FLAG -> node.flag();
      case WORD -> node.oneOf(words.toArray(String[]::new));
      case TEXT -> {
        if (!node.text().matches(words.get(0))) {
          throw node.refuse(words.get(1));
        }
        yield node.text();
      }
    };
  }

  /** A value in the exact notation of YAML. */
  public String write(Object value) {
    return switch (kind) {
      case DURATION -> writtenDuration((Long) value);
      case DURATION_OR_WORD ->
          (Long) value == Values.BY_ITSELF ? words.get(0) : writtenDuration((Long) value);
      case SIZE -> {
        String text = Units.bytes((Long) value);
        yield is(Units.bytes(text), (Long) value) ? text : value + "B";
      }
      case SHARE, NUMBER -> plain((Double) value);
      case RATE -> plain((Double) value) + "/s";
      case WHOLE, FLAG, WORD, TEXT -> value.toString();
    };
  }

  /** The allowed values in words. */
  public String range() {
    return switch (kind) {
      case DURATION -> Units.bound((long) min) + " to " + Units.bound((long) max);
      case DURATION_OR_WORD ->
          words.get(0) + ", " + Units.bound((long) min) + " to " + Units.bound((long) max);
      case SIZE -> Units.boundBytes((long) min) + " to " + Units.boundBytes((long) max);
      case WHOLE -> (long) min + " to " + (long) max;
      case SHARE, NUMBER -> plain(min) + " to " + plain(max);
      case RATE -> plain(min) + "/s to " + plain(max) + "/s";
      case FLAG -> "true, false";
      case WORD -> String.join(", ", words);
      case TEXT -> words.get(1);
    };
  }

  private Long durationOrWord(ConfigNode node) {
    if (node.text().equals(words.get(0))) {
      return Values.BY_ITSELF;
    }
    OptionalLong nanos = Units.durationNanos(node.text());
    if (nanos.isEmpty() || nanos.getAsLong() < min || nanos.getAsLong() > max) {
      throw node.refuse(range());
    }
    return nanos.getAsLong();
  }

  /** A constant of an enum in the notation of YAML. */
  static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static long nanos(String duration) {
    return Units.durationNanos(duration).orElseThrow();
  }

  private static long bytes(String size) {
    return Units.bytes(size).orElseThrow();
  }

  private static String writtenDuration(long nanos) {
    String text = Units.duration(nanos);
    return is(Units.durationNanos(text), nanos) ? text : nanos + "ns";
  }

  private static boolean is(OptionalLong parsed, long value) {
    return parsed.isPresent() && parsed.getAsLong() == value;
  }

  private static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
