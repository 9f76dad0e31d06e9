/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.stats.Estimate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as the report prints them; a value that is not there is a dash. */
final class Format {
  static final String NONE = "–";

  private static final double US_PER_MS = 1e3;

  private Format() {}

  /**
   * Three significant digits, never in powers of ten: {@code 0.0123}, {@code 4.56}, {@code 1230}.
   */
  static String number(double value) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    if (value == 0) {
      return "0";
    }
    if (Math.abs(value) >= 100) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(3, RoundingMode.HALF_UP));
    int whole = rounded.precision() - rounded.scale();
    return rounded.setScale(Math.max(0, 3 - whole), RoundingMode.HALF_UP).toPlainString();
  }

  /** A value without needless zeros behind the point, for metrics of many kinds. */
  static String compact(double value) {
    String text = number(value);
    return text.indexOf('.') < 0 ? text : text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }

  /** Microseconds as milliseconds, without the unit. */
  static String ms(double us) {
    return number(us / US_PER_MS);
  }

  /** An interval of microseconds in milliseconds, {@code 4.10–4.56}; nothing for a single round. */
  static String msInterval(Estimate us) {
    return Double.isNaN(us.lo()) || us.rounds() == 1 ? "" : ms(us.lo()) + "–" + ms(us.hi());
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

  /** A ratio: {@code 2.31}. */
  static String ratio(double value) {
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value)
        : NONE;
  }
}
