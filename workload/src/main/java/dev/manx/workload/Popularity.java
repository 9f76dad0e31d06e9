/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

/** The distribution of requests over keys. */
public sealed interface Popularity {
  /** All keys equally likely. */
  record Uniform() implements Popularity {}

  /**
   * The key of rank i is requested in proportion to i^-exponent, exactly over all keys (not YCSB's
   * hashed variant); a seeded permutation assigns ranks to keys.
   *
   * @param exponent the skew, at least 0
   */
  record Zipf(double exponent) implements Popularity {
    /** Checks the range. */
    public Zipf {
      SettingCheck.that(
          exponent >= 0 && exponent <= 10, "a Zipf exponent must be in 0..10, but is %s", exponent);
    }
  }
}
