/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.stats.Estimate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** Formats numbers for the report; a missing value is a dash. */
final class Format {
  static final String NONE = "–";

  private static final double US_PER_MS = 1e3;
  private static final double MANY_DIGITS = 9_999.5;
  private static final int MOST_DIGITS = 6;
  private static final double BYTES_PER_GIB = 1L << 30;
  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Format() {}

  /**
   * Three significant digits, never scientific notation: {@code 0.0123}, {@code 4.56}, {@code
   * 1230}; five or more digits in groups, {@code 12 345}.
   */
  static String number(double value) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    if (value == 0) {
      return "0";
    }
    if (Math.abs(value) >= 100) {
      return Math.abs(value) >= MANY_DIGITS && Math.abs(value) < Long.MAX_VALUE
          ? count(Math.round(value))
          : String.format(Locale.ROOT, "%.0f", value);
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(3, RoundingMode.HALF_UP));
    int whole = rounded.precision() - rounded.scale();
    return rounded.setScale(Math.max(0, 3 - whole), RoundingMode.HALF_UP).toPlainString();
  }

  /** A value without trailing zeros after the point, for metrics of many kinds. */
  static String compact(double value) {
    String text = number(value);
    return text.indexOf('.') < 0 ? text : text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }

  /** Microseconds as milliseconds, without the unit. */
  static String ms(double us) {
    return number(us / US_PER_MS);
  }

  /** An interval of microseconds in milliseconds, {@code 4.10–4.56}; empty for a single round. */
  static String msInterval(Estimate us) {
    return Double.isNaN(us.lo()) || us.rounds() == 1 ? "" : ms(us.lo()) + "–" + ms(us.hi());
  }

  /**
   * A value with its interval or range below; without one if all rounds agree or there is only one.
   */
  static Cell cell(Estimate value, DoubleFunction<String> text, Ends ends) {
    String interval =
        value.lo() < value.hi()
            ? ends.before(value) + text.apply(value.lo()) + "–" + text.apply(value.hi())
            : "";
    return Cell.of(text.apply(value.value()), interval);
  }

  /** Groups of three digits: {@code 12 345}, with thin spaces. */
  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value).replace(',', '\u2009');
  }

  /** 0..1 as {@code 71 %}. */
  static String percent(double fraction) {
    return Double.isNaN(fraction)
        ? NONE
        : String.format(Locale.ROOT, "%.0f", fraction * 100) + "\u00a0%";
  }

  /** A ratio: {@code 2.31}; to a value of 0 {@code ∞}. */
  static String ratio(double value) {
    if (value == Double.POSITIVE_INFINITY) {
      return "∞";
    }
    if (value >= 100) {
      return number(value);
    }
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value)
        : NONE;
  }

  /** A ratio that is not 1: with as many digits as show it, {@code 1.0004}. */
  static String unequal(double ratio) {
    return beside(ratio, 1);
  }

  /** A ratio with as many digits as show on which side of a bound it is. */
  static String beside(double ratio, double bound) {
    String text = ratio(ratio);
    if (!Double.isFinite(ratio) || ratio >= MANY_DIGITS) {
      return text;
    }
    for (int digits = 3; digits <= MOST_DIGITS && !shows(text, ratio, bound); digits++) {
      text = String.format(Locale.ROOT, "%." + digits + "f", ratio);
    }
    return text;
  }

  private static boolean shows(String text, double ratio, double bound) {
    return Double.compare(Double.parseDouble(text), bound) == Double.compare(ratio, bound);
  }

  /** A bound of a ratio as written, with two digits or more: {@code 1.00}, {@code 1.005}. */
  static String bound(double ratio) {
    BigDecimal written = BigDecimal.valueOf(ratio);
    return written.setScale(Math.max(2, written.scale()), RoundingMode.UNNECESSARY).toPlainString();
  }

  /** {@code 23.5 GiB}. */
  static String gib(long bytes) {
    return compact(bytes / BYTES_PER_GIB) + " GiB";
  }

  /** An ISO instant to the minute, {@code 2026-01-31 14:05 UTC}; any other text as it is. */
  static String date(String iso) {
    try {
      return MINUTES.format(Instant.parse(iso));
    } catch (DateTimeParseException e) {
      return iso;
    }
  }

  /** {@code 1 round}, {@code 2 rounds}. */
  static String plural(int count, String thing) {
    return count + " " + thing + (count == 1 ? "" : "s");
  }
}
