/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

/** Whether reads waited when a request arrived; determines the sample of tracked requests. */
public enum Pressure {
  /** None did lately: only followed requests are tracked. */
  CALM("calm"),
  /** Some did: all requests are tracked. */
  BUSY("busy");

  private final String label;

  Pressure(String label) {
    this.label = label;
  }

  /** Its name in metrics and tables. */
  public String label() {
    return label;
  }
}
