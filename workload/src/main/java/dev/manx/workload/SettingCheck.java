/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.util.Locale;

/** Rejects an invalid setting with a message that states the allowed values. */
final class SettingCheck {
  private SettingCheck() {}

  static void that(boolean allowed, String message, Object... arguments) {
    if (!allowed) {
      throw new IllegalArgumentException(String.format(Locale.ROOT, message, arguments));
    }
  }
}
