/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

import java.util.Locale;

/** The disturbance of the working threads; the class of the requests in the results. */
public enum Case {
  /** None. */
  UNRESTRICTED,
  /** The threads share few cores. */
  PINNED,
  /**
   * The threads share few cores, and some have another nice level in the middle third of the
   * window.
   */
  PINNED_NICE;

  /** The name in experiment and result files. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All labels. */
  public static String[] labels() {
    Case[] all = values();
    String[] labels = new String[all.length];
    for (int i = 0; i < all.length; i++) {
      labels[i] = all[i].label();
    }
    return labels;
  }

  /** The case of a label. */
  public static Case ofLabel(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
