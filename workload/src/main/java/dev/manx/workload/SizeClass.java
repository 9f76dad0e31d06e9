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
        "a value has at least %d bytes, not %d",
        CheckedValues.MIN_BYTES,
        valueBytes);
    SettingCheck.that(share > 0 && share <= 1, "a share of keys lies in (0, 1], not %s", share);
  }
}
