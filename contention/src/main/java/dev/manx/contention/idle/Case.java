/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

import java.util.Locale;

/** The disturbance of the threads while they work; the class of the requests in the results. */
public enum Case {
  /** Nothing. */
  UNRESTRICTED,
  /** They share few cores. */
  PINNED,
  /** They share few cores, and in the middle third of the window some have another nice level. */
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
