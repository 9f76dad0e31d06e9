/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.util.List;

/** The distribution of the number of keys per request. */
public sealed interface Fanout {
  /** The largest number of keys of a request. */
  int maxReads();

  /** A constant number. */
  record Fixed(int reads) implements Fanout {
    /** Checks the range. */
    public Fixed {
      SettingCheck.that(reads >= 1, "a request must have at least 1 read, but has %d", reads);
    }

    @Override
    public int maxReads() {
      return reads;
    }
  }

  /**
   * A given share of requests has one read; the rest follows a zeta distribution on 2..maxReads
   * whose exponent is solved for the mean over all requests (ours: any maximum).
   *
   * @param singleShare share of requests with one read, in [0, 1)
   * @param meanReads mean over all requests, singles included
   * @param maxReads the most reads
   */
  record Zeta(double singleShare, double meanReads, int maxReads) implements Fanout {
    /** Checks that the mean can be reached. */
    public Zeta {
      SettingCheck.that(
          singleShare >= 0 && singleShare < 1,
          "the share of single reads must be in [0, 1), but is %s",
          singleShare);
      SettingCheck.that(maxReads >= 2, "the maximum must be at least 2 reads, but is %d", maxReads);
      double rest = (meanReads - singleShare) / (1 - singleShare);
      SettingCheck.that(
          rest > 2 && rest < (2 + maxReads) / 2.0,
          "a mean of %s with %s single and at most %d reads needs a mean of %s for the rest; it must"
              + " lie between 2 and %s",
          meanReads,
          singleShare,
          maxReads,
          rest,
          (2 + maxReads) / 2.0);
    }
  }

  /**
   * A lognormal rounded to the nearest whole number and truncated to 1..maxReads.
   *
   * @param mu mean of the logarithm
   * @param sigma deviation of the logarithm, above 0
   * @param maxReads the most reads
   */
  record Lognormal(double mu, double sigma, int maxReads) implements Fanout {
    /** Checks the ranges, and that a request can be as small as the maximum. */
    public Lognormal {
      SettingCheck.that(sigma > 0, "sigma must be above 0, but is %s", sigma);
      int least = WidthTable.leastMax(mu, sigma);
      SettingCheck.that(
          maxReads >= least,
          "at least %d reads with mu %s and sigma %s, because smaller requests do not occur",
          least,
          mu,
          sigma);
    }
  }

  /**
   * Kinds of requests, each with a constant number of keys and optionally its own share of large
   * values (TailX, section 4: 5 or 100 keys; 20 keys, of which a fifth of the requests reads large
   * ones).
   *
   * @param kinds the kinds, with shares that sum to 1
   */
  record Mix(List<RequestShape> kinds) implements Fanout {
    /** Copies the list and checks the sum. */
    public Mix {
      kinds = List.copyOf(kinds);
      double sum = kinds.stream().mapToDouble(RequestShape::share).sum();
      SettingCheck.that(
          Math.abs(sum - 1) < 1e-9, "the shares of the kinds of requests sum to %s, not to 1", sum);
    }

    @Override
    public int maxReads() {
      return kinds.stream().mapToInt(RequestShape::reads).max().orElseThrow();
    }

    /** Whether a kind determines the sizes of its values. */
    boolean bySize() {
      return kinds.stream().anyMatch(RequestShape::hasOwnSizes);
    }
  }
}
