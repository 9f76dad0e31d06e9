/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Human units to base units and back: durations in nanoseconds, sizes in bytes, rates per second.
 */
public final class Units {
  private static final long TIB = 1L << 40;
  private static final long MINUTE = 60_000_000_000L;
  private static final long HOUR = 60 * MINUTE;
  private static final Pattern QUANTITY =
      Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([A-Za-z%/µ]*)");

  private Units() {}

  /**
   * {@code 5ms}, {@code 250us}, {@code 1.5s}, {@code 10min}, {@code 2h} in nanoseconds; a bare 0 is
   * allowed.
   */
  public static OptionalLong durationNanos(String text) {
    return scaled(
        text,
        unit ->
            switch (unit) {
              case "ns" -> 1;
              case "us", "µs" -> 1e3;
              case "ms" -> 1e6;
              case "s" -> 1e9;
              case "min" -> 60e9;
              case "h" -> 3600e9;
              default -> Double.NaN;
            });
  }

  /** {@code 64KiB}, {@code 1MiB}, {@code 100B}, {@code 2kB} in bytes; a bare 0 is allowed. */
  public static OptionalLong bytes(String text) {
    return scaled(
        text,
        unit ->
            switch (unit) {
              case "B" -> 1;
              case "kB" -> 1e3;
              case "MB" -> 1e6;
              case "GB" -> 1e9;
              case "KiB" -> 1024.0;
              case "MiB" -> 1024.0 * 1024;
              case "GiB" -> 1024.0 * 1024 * 1024;
              case "TiB" -> (double) TIB;
              case "PiB" -> 1024.0 * TIB;
              default -> Double.NaN;
            });
  }

  /** {@code 5%} or {@code 0.05} as a fraction. */
  public static OptionalDouble fraction(String text) {
    Matcher m = QUANTITY.matcher(text.trim());
    if (!m.matches()) {
      return OptionalDouble.empty();
    }
    double number = Double.parseDouble(m.group(1));
    return switch (m.group(2)) {
      case "" -> OptionalDouble.of(number);
      // Exact, since a value is shown as it was set: 33.3 / 100 is not 0.333.
      case "%" -> OptionalDouble.of(new BigDecimal(m.group(1)).movePointLeft(2).doubleValue());
      default -> OptionalDouble.empty();
    };
  }

  /** {@code 500/s}, {@code 2k/s}, {@code 60/min} as events per second. */
  public static OptionalDouble perSecond(String text) {
    Matcher m = QUANTITY.matcher(text.trim());
    if (!m.matches()) {
      return OptionalDouble.empty();
    }
    double number = Double.parseDouble(m.group(1));
    return switch (m.group(2)) {
      case "/s" -> OptionalDouble.of(number);
      case "k/s" -> OptionalDouble.of(number * 1e3);
      case "M/s" -> OptionalDouble.of(number * 1e6);
      case "/min" -> OptionalDouble.of(number / 60);
      default -> OptionalDouble.empty();
    };
  }

  /** Nanoseconds in the notation of YAML: {@code 500ms}, {@code 2.5s}, {@code 30us}. */
  public static String duration(long nanos) {
    long size = Math.abs(nanos);
    if (size >= 1_000_000_000L) {
      return number(nanos / 1e9) + "s";
    }
    if (size >= 1_000_000L) {
      return number(nanos / 1e6) + "ms";
    }
    if (size >= 1_000L) {
      return number(nanos / 1e3) + "us";
    }
    return size == 0 ? "0s" : nanos + "ns";
  }

  /**
   * As {@link #duration}, but in hours or minutes if they are a whole number: for bounds in
   * messages.
   */
  public static String bound(long nanos) {
    if (nanos == 0) {
      return "0";
    }
    if (nanos % HOUR == 0) {
      return nanos / HOUR + "h";
    }
    return nanos % MINUTE == 0 ? nanos / MINUTE + "min" : duration(nanos);
  }

  /** Bytes in pebibytes or tebibytes if they are a whole number: for bounds in messages. */
  public static String boundBytes(long bytes) {
    if (bytes > 0 && bytes % (TIB << 10) == 0) {
      return bytes / (TIB << 10) + "PiB";
    }
    return bytes > 0 && bytes % TIB == 0 ? bytes / TIB + "TiB" : bytes(bytes);
  }

  /** Bytes in the notation of YAML: {@code 64KiB}, {@code 1.5MiB}, {@code 100B}. */
  public static String bytes(long bytes) {
    if (bytes >= 1L << 30) {
      return number(bytes / (double) (1L << 30)) + "GiB";
    }
    if (bytes >= 1L << 20) {
      return number(bytes / (double) (1L << 20)) + "MiB";
    }
    return bytes >= 1L << 10 ? number(bytes / 1024.0) + "KiB" : bytes + "B";
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }

  private interface Scale {
    double of(String unit);
  }

  private static OptionalLong scaled(String text, Scale scale) {
    Matcher m = QUANTITY.matcher(text.trim());
    if (!m.matches()) {
      return OptionalLong.empty();
    }
    double number = Double.parseDouble(m.group(1));
    if (m.group(2).isEmpty()) {
      return number == 0 ? OptionalLong.of(0) : OptionalLong.empty();
    }
    double value = number * scale.of(m.group(2));
    return Double.isNaN(value) || value > Long.MAX_VALUE / 2.0
        ? OptionalLong.empty()
        : OptionalLong.of(Math.round(value));
  }
}
