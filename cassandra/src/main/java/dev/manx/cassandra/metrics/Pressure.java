/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

/** Whether reads waited when a request arrived; determines the sample of tracked requests. */
public enum Pressure {
  /** No read waited lately: only followed requests are tracked. */
  CALM("calm"),
  /** Some reads waited: all requests are tracked. */
  BUSY("busy");

  private final String label;

  Pressure(String label) {
    this.label = label;
  }

  /** The pressure's name in metrics and tables. */
  public String label() {
    return label;
  }
}
