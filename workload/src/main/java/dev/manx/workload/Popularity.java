/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

/** Which keys are asked for how often. */
public sealed interface Popularity {
  /** Every key alike. */
  record Uniform() implements Popularity {}

  /**
   * The key of rank i is asked for in proportion to i^-exponent, exactly over all keys (not YCSB's
   * hashed variant, policies.md 10.1); which key has which rank is a seeded permutation.
   *
   * @param exponent the skew, at least 0
   */
  record Zipf(double exponent) implements Popularity {
    /** Checks the range. */
    public Zipf {
      Check.that(
          exponent >= 0 && exponent <= 10, "a Zipf exponent lies in 0..10, not %s", exponent);
    }
  }
}
