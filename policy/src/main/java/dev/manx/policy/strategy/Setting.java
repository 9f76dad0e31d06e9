/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalLong;

/**
 * One setting of a policy: its name, kind, default and range.
 *
 * @param name its key in the strategy's YAML
 * @param kind how it is written and what its value is
 * @param standard the default: Long for durations (nanoseconds), sizes (bytes) and whole numbers,
 *     Double for shares and numbers, Boolean for flags, String for words and texts
 * @param min least value, for those with an order
 * @param max largest value, for those with an order
 * @param words what a word may be, or the word beside a duration; for a text the form as a regular
 *     expression and in words; else empty
 * @param meaning one line for the reference
 */
public record Setting(
    String name,
    Kind kind,
    Object standard,
    double min,
    double max,
    List<String> words,
    String meaning) {
  /** The value of a duration that the policy finds by itself. */
  public static final long BY_ITSELF = -1L;

  /** How a value is written. */
  public enum Kind {
    /** {@code 5ms}. */
    DURATION,
    /** {@code 5ms}, or a word for a duration that the policy finds by itself. */
    DURATION_OR_WORD,
    /** {@code 64KiB}. */
    SIZE,
    /** {@code 5%} or {@code 0.05}. */
    SHARE,
    /** {@code 65536}. */
    WHOLE,
    /** {@code 1.5}. */
    NUMBER,
    /** {@code true} or {@code false}. */
    FLAG,
    /** One of a few words. */
    WORD,
    /** Text of a form. */
    TEXT
  }

  /** A duration in nanoseconds, with its default and range. */
  public static Setting duration(String name, long standard, long min, long max, String meaning) {
    return new Setting(name, Kind.DURATION, standard, min, max, List.of(), meaning);
  }

  /**
   * A duration in nanoseconds, or a word, which is the default and whose value is {@link
   * #BY_ITSELF}.
   */
  public static Setting durationOr(String word, String name, long min, long max, String meaning) {
    return new Setting(name, Kind.DURATION_OR_WORD, BY_ITSELF, min, max, List.of(word), meaning);
  }

  /** A size in bytes. */
  public static Setting size(String name, long standard, long min, long max, String meaning) {
    return new Setting(name, Kind.SIZE, standard, min, max, List.of(), meaning);
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

  /** A flag. */
  public static Setting flag(String name, boolean standard, String meaning) {
    return new Setting(name, Kind.FLAG, standard, 0, 0, List.of(), meaning);
  }

  /** One of a few words, of which the first is the default. */
  public static Setting word(String name, String meaning, String... words) {
    return new Setting(name, Kind.WORD, words[0], 0, 0, List.of(words), meaning);
  }

  /** A text of a form, given as a regular expression and in words. */
  public static Setting text(
      String name, String standard, String form, String allowed, String meaning) {
    return new Setting(name, Kind.TEXT, standard, 0, 0, List.of(form, allowed), meaning);
  }

  /** Reads a value or refuses it. */
  Object read(ConfigNode node) {
    return switch (kind) {
      case DURATION -> node.durationNanos((long) min, (long) max);
      case DURATION_OR_WORD -> durationOrWord(node);
      case SIZE -> node.bytes((long) min, (long) max);
      case SHARE -> node.fraction(min, max);
      case WHOLE -> node.integer((long) min, (long) max);
      case NUMBER -> node.number(min, max);
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

  /** A value as one writes it, exactly. */
  public String write(Object value) {
    return switch (kind) {
      case DURATION -> writtenDuration((Long) value);
      case DURATION_OR_WORD ->
          (Long) value == BY_ITSELF ? words.get(0) : writtenDuration((Long) value);
      case SIZE -> {
        String text = Units.bytes((Long) value);
        yield is(Units.bytes(text), (Long) value) ? text : value + "B";
      }
      case SHARE, NUMBER -> BigDecimal.valueOf((Double) value).stripTrailingZeros().toPlainString();
      case WHOLE, FLAG, WORD, TEXT -> value.toString();
    };
  }

  /** The allowed values in words. */
  public String range() {
    return switch (kind) {
      case DURATION -> Units.duration((long) min) + " to " + Units.duration((long) max);
      case DURATION_OR_WORD ->
          words.get(0) + ", " + Units.duration((long) min) + " to " + Units.duration((long) max);
      case SIZE -> Units.bytes((long) min) + " to " + Units.bytes((long) max);
      case WHOLE -> (long) min + " to " + (long) max;
      case SHARE, NUMBER -> plain(min) + " to " + plain(max);
      case FLAG -> "true, false";
      case WORD -> String.join(", ", words);
      case TEXT -> words.get(1);
    };
  }

  private Long durationOrWord(ConfigNode node) {
    if (node.text().equals(words.get(0))) {
      return BY_ITSELF;
    }
    OptionalLong nanos = Units.durationNanos(node.text());
    if (nanos.isEmpty() || nanos.getAsLong() < min || nanos.getAsLong() > max) {
      throw node.refuse(range());
    }
    return nanos.getAsLong();
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
