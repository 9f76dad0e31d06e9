/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

/** Whether Manx acts on a request. */
enum Group {
  /** It does, even if the request needed no action. */
  ACTED("acted"),
  /** It is left to stock: Manx is in shadow mode, or the canary excludes it. */
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
