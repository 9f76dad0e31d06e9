/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import dev.manx.policy.config.Setting;

/** Settings that size oracles share. */
final class SizeSettings {
  static final Setting LARGE_ABOVE =
      Setting.size("large-above", "64KiB", "1B", "1TiB", "values from this size on are large");
  static final Setting SMALL_GUESS =
      Setting.size("small-guess", "1KiB", "0", "1TiB", "size of an unknown key");

  private SizeSettings() {}
}
