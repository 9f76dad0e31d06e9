/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.Setting;

/**
 * The measured window of a turn: a length, or an expected number of requests.
 *
 * @param nanos its length; 0 if {@code requests} determines it
 * @param requests expected number; 0 if {@code nanos} is set
 */
public record TurnWindow(long nanos, long requests) {
  private static final long SECOND = 1_000_000_000L;

  /** The longest window of a quick run, and the longest load before its first round. */
  public static final long QUICK_NANOS = 3 * SECOND;

  /** The longest warm-up of a quick run. */
  public static final long QUICK_WARM_UP_NANOS = SECOND;

  /** The shortest window of a quick run whose loads have very different ones. */
  private static final long QUICK_LEAST_NANOS = SECOND;

  /** Key {@code window}. */
  public static Key lengthKey(String least, String most) {
    return Key.optional(
        Setting.duration(
            "window", "1s", least, most, "length of each measured window, or `requests`"));
  }

  /** Key {@code requests}. */
  public static Key requestsKey(long fewest) {
    return Key.optional(
        Setting.whole(
            "requests",
            fewest,
            fewest,
            1_000_000_000,
            "expected number of requests in a window, instead of `window`"));
  }

  /**
   * Reads both keys.
   *
   * @throws ConfigException if both are given, or none
   */
  public static TurnWindow read(Part top) {
    if (!top.has("window") && !top.has("requests")) {
      throw new ConfigException(
          top.node().file(),
          top.node().line(),
          "window",
          null,
          "a duration, or requests: a number");
    }
    if (top.has("window") && top.has("requests")) {
      throw top.node("requests").refuse("window or requests, not both");
    }
    return top.has("window")
        ? new TurnWindow(top.number("window"), 0)
        : new TurnWindow(0, top.number("requests"));
  }

  /** Its length at a rate of requests. */
  public long nanos(double requestsPerSecond) {
    return nanos > 0 ? nanos : Math.round(requests / requestsPerSecond * SECOND);
  }

  /** A share of this window. */
  public TurnWindow times(double share) {
    return new TurnWindow(Math.round(nanos * share), (long) Math.ceil(requests * share));
  }

  /** Sets the values of the resolved file. */
  public void resolve(Part top) {
    top.put("window", nanos > 0 ? (Object) nanos : null);
    top.put("requests", requests > 0 ? (Object) requests : null);
  }

  /**
   * Whether a run is quick and its command line gives no time that belongs to the window. A value
   * of null removes a setting, and does not give a time.
   *
   * @param times a pattern of settings with such times, other than the window
   */
  public static boolean isShortened(Choices choices, String times) {
    return choices.quick()
        && choices.settings().entrySet().stream()
            .noneMatch(
                given ->
                    given.getKey().matches("window|requests|" + times)
                        && !given.getValue().trim().equals("null"));
  }

  /** The share of the file's windows that a quick run has, at most 1. */
  public static double quickShare(long longestNanos, long shortestNanos) {
    double share = (double) QUICK_NANOS / longestNanos;
    return Math.min(1, Math.max(share, (double) QUICK_LEAST_NANOS / shortestNanos));
  }
}
