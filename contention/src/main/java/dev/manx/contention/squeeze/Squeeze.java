/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A disturbance of a process.
 *
 * @param cores number of cores that all its threads share; 0: unchanged
 * @param boost maximum number of threads that get another nice level; 0 for none
 * @param threads pattern of their names ({@code *} and {@code ?}); empty for the busiest
 * @param nice their nice level, -20 to 19
 */
public record Squeeze(int cores, int boost, String threads, int nice) {
  /** All matching threads. */
  public static final int EVERY = 1_000_000;

  /** The strongest priority. */
  public static final int STRONGEST = -20;

  private static final Setting CORES =
      Setting.whole(
              "cores",
              1,
              1,
              4_096,
              "all its threads share this number of cores; without it they may use all")
          .withoutStandard();
  private static final Setting BOOST =
      Setting.whole(
              "boost",
              1,
              1,
              EVERY,
              "maximum number of threads that get another nice level; without it all of `threads`")
          .withoutStandard();
  private static final Setting THREADS =
      Setting.anyText(
          "threads", null, "pattern of their names with * and ?; without it the busiest");
  private static final Setting NICE =
      Setting.whole("nice", STRONGEST, STRONGEST, 19, "their nice level");

  /** The keys; one without a default is optional. */
  public static final List<Setting> SETTINGS = List.of(CORES, BOOST, THREADS, NICE);

  /**
   * Reads {@code cores}, {@code boost}, {@code threads} and {@code nice} of a mapping; the caller
   * rejects other keys.
   *
   * @throws dev.manx.policy.config.ConfigException for an invalid value, or an empty squeeze
   */
  public static Squeeze read(ConfigNode node) {
    int cores = whole(node, CORES, 0);
    String threads = (String) THREADS.readOr(node, "");
    int boost = whole(node, BOOST, threads.isEmpty() ? 0 : EVERY);
    int nice = whole(node, NICE, STRONGEST);
    if (cores == 0 && boost == 0) {
      throw node.refuse("cores, or boost or threads, or both; otherwise nothing is squeezed");
    }
    if (boost == 0 && node.find(NICE.name()).isPresent()) {
      throw node.at(NICE.name())
          .refuseBecause("it needs boost or threads, whose threads get this level");
    }
    return new Squeeze(cores, boost, threads, nice);
  }

  private static int whole(ConfigNode node, Setting setting, int otherwise) {
    return Math.toIntExact((Long) setting.readOr(node, (long) otherwise));
  }

  /** Whether a thread of that name may be boosted. */
  boolean matches(String name) {
    if (threads.isEmpty()) {
      return true;
    }
    StringBuilder regex = new StringBuilder();
    for (char c : threads.toCharArray()) {
      regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
    }
    return name.matches(regex.toString());
  }

  /** Human-readable: {@code 1 core, nice -20 for 4 threads}. */
  public String words() {
    String pinned = cores == 0 ? "" : cores + (cores == 1 ? " core" : " cores");
    if (boost == 0) {
      return pinned;
    }
    String who =
        (threads.isEmpty() ? "the " : "")
            + (boost < EVERY ? boost + " " : "")
            + (threads.isEmpty() ? "busiest threads" : "threads " + threads);
    return (pinned.isEmpty() ? "" : pinned + ", ") + "nice " + nice + " for " + who;
  }
}
