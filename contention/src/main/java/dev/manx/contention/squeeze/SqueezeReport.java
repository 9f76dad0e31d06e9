/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

/**
 * The actions of a squeeze. Times are of {@code System.nanoTime}; 0 for an action that did not
 * happen.
 *
 * @param pinnedNanos when all threads were pinned
 * @param pinned threads pinned
 * @param cpus the cores
 * @param boostedNanos when some threads got their nice level
 * @param boosted threads boosted
 * @param names their names, joined by commas
 * @param unboostedNanos when they lost it again, if before the end
 * @param restoredNanos when everything was restored
 * @param cores threads whose cores were restored
 * @param nices threads whose nice level was restored at the end
 * @param ended whether the process had ended by then
 */
public record SqueezeReport(
    long pinnedNanos,
    int pinned,
    String cpus,
    long boostedNanos,
    int boosted,
    String names,
    long unboostedNanos,
    long restoredNanos,
    int cores,
    int nices,
    boolean ended) {
  static final SqueezeReport NOTHING = new SqueezeReport(0, 0, "", 0, 0, "", 0, 0, 0, 0, false);

  /** Time of the first action; 0 without one. */
  public long fromNanos() {
    return pinnedNanos > 0 ? pinnedNanos : boostedNanos;
  }

  /** Adds one line of the guard's output; other lines change nothing. */
  SqueezeReport with(String line) {
    String[] words = line.split(" ", 4);
    return switch (words[0]) {
      case "pinned" ->
          new SqueezeReport(
              Long.parseLong(words[1]),
              Integer.parseInt(words[2]),
              words[3],
              boostedNanos,
              boosted,
              names,
              unboostedNanos,
              restoredNanos,
              cores,
              nices,
              ended);
      case "boosted" ->
          new SqueezeReport(
              pinnedNanos,
              pinned,
              cpus,
              Long.parseLong(words[1]),
              Integer.parseInt(words[2]),
              words[3],
              unboostedNanos,
              restoredNanos,
              cores,
              nices,
              ended);
      case "unboosted" ->
          new SqueezeReport(
              pinnedNanos,
              pinned,
              cpus,
              boostedNanos,
              boosted,
              names,
              Long.parseLong(words[1]),
              restoredNanos,
              cores,
              nices,
              ended);
      case "restored" -> {
        String[] counts = words[3].split(" ", -1);
        yield new SqueezeReport(
            pinnedNanos,
            pinned,
            cpus,
            boostedNanos,
            boosted,
            names,
            unboostedNanos,
            Long.parseLong(words[1]),
            Integer.parseInt(words[2]),
            Integer.parseInt(counts[0]),
            Boolean.parseBoolean(counts[1]));
      }
      default -> this;
    };
  }
}
