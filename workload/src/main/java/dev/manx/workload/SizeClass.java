/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

/**
 * Keys whose values have one size.
 *
 * @param valueBytes the size, at least {@link CheckedValues#MIN_BYTES}
 * @param share the fraction of keys, in (0, 1]
 */
public record SizeClass(int valueBytes, double share) {
  /** Checks the ranges. */
  public SizeClass {
    SettingCheck.that(
        valueBytes >= CheckedValues.MIN_BYTES,
        "a value must have at least %d bytes, but has %d",
        CheckedValues.MIN_BYTES,
        valueBytes);
    SettingCheck.that(
        share > 0 && share <= 1, "a share of keys must be in (0, 1], but is %s", share);
  }
}
