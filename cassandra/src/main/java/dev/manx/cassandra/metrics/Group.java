/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

/** Whether Manx was to act on a request. */
enum Group {
  /** It was, whether or not there was anything to do for it. */
  ACTED("acted"),
  /** It was left to stock: Manx is in shadow mode, or the canary leaves it out. */
  CONTROL("control");

  private final String label;

  Group(String label) {
    this.label = label;
  }

  /** Its name in metrics and tables. */
  public String label() {
    return label;
  }
}
