/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

/** Whether Manx acts on a request. */
enum Group {
  /** Manx acts on the request, even if the request needed no action. */
  ACTED("acted"),
  /** The request is left to stock: Manx is in shadow mode, or the canary excludes the request. */
  CONTROL("control");

  private final String label;

  Group(String label) {
    this.label = label;
  }

  /** The group's name in metrics and tables. */
  public String label() {
    return label;
  }
}
