/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.config.Units;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cassandra's speculative retry option: {@code none}, {@code always}, {@code 99p}, {@code 10ms},
 * {@code min(99p,50ms)} or {@code max(99p,50ms)}.
 *
 * @param quantile in (0, 1), or NaN if only the fixed time counts
 * @param fixedNanos 0 for always, {@link Long#MAX_VALUE} for none, or if only the quantile counts
 * @param least whether the smaller of both counts
 */
record SpeculativeThreshold(double quantile, long fixedNanos, boolean least) {
  private static final String PERCENTILE =
      "([1-9]\\d?(?:\\.\\d+)?|0\\.\\d*[1-9]\\d*)p(?:ercentile)?";
  // Few enough digits for nanoseconds in a long.
  private static final String FIXED = "(\\d{1,9}(?:\\.\\d{1,9})?(?:us|ms|s))";

  /** The pattern of allowed values. */
  public static final String PATTERN =
      "none|always|%1$s|%2$s|(?:min|max)\\((?:%1$s,\\s?%2$s|%2$s,\\s?%1$s)\\)"
          .formatted(PERCENTILE.replace("([", "(?:["), FIXED.replace("(\\d", "(?:\\d"));

  /** The allowed values, in words. */
  public static final String ALLOWED =
      "none, always, a percentile between 0 and 100 as in 99p, a time as in 10ms,"
          + " or min(..) or max(..) of one of each";

  private static final Pattern HAS_PERCENTILE = Pattern.compile(PERCENTILE);
  private static final Pattern HAS_FIXED = Pattern.compile("(?<![\\d.])" + FIXED);

  /**
   * Reads the option.
   *
   * @throws IllegalArgumentException if it does not match {@link #PATTERN}
   */
  public static SpeculativeThreshold parse(String text) {
    String option = text.toLowerCase(Locale.ROOT);
    if (!option.matches(PATTERN)) {
      throw new IllegalArgumentException(text + " is not " + ALLOWED);
    }
    if (option.equals("none") || option.equals("always")) {
      return new SpeculativeThreshold(Double.NaN, option.equals("none") ? Long.MAX_VALUE : 0, true);
    }
    Matcher percentile = HAS_PERCENTILE.matcher(option);
    Matcher fixed = HAS_FIXED.matcher(option);
    double quantile =
        percentile.find() ? Double.parseDouble(percentile.group(1)) / 100 : Double.NaN;
    long nanos = fixed.find() ? Units.durationNanos(fixed.group(1)).orElseThrow() : Long.MAX_VALUE;
    return new SpeculativeThreshold(quantile, nanos, !option.startsWith("max"));
  }

  /** Whether the threshold depends on latencies. */
  boolean learns() {
    return !Double.isNaN(quantile);
  }

  /** The threshold from the latencies' quantile. */
  long nanos(long quantileNanos) {
    if (!learns()) {
      return fixedNanos;
    }
    return least ? Math.min(quantileNanos, fixedNanos) : Math.max(quantileNanos, fixedNanos);
  }
}
