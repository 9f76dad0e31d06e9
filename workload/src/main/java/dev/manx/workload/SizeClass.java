/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

/**
 * Keys whose values have one size.
 *
 * @param valueBytes the size, at least {@link Values#MIN_BYTES}
 * @param share the fraction of keys, in (0, 1]
 */
public record SizeClass(int valueBytes, double share) {
  /** Checks the ranges. */
  public SizeClass {
    Check.that(
        valueBytes >= Values.MIN_BYTES,
        "a value has at least %d bytes, not %d",
        Values.MIN_BYTES,
        valueBytes);
    Check.that(share > 0 && share <= 1, "a share of keys lies in (0, 1], not %s", share);
  }
}
