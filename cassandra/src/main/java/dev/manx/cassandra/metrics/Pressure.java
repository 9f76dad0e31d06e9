/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

/** Whether reads waited when a request came; how many requests are followed depends on it. */
public enum Pressure {
  /** None did lately: one request in 64 is followed. */
  CALM("calm"),
  /** Some did: all requests are followed. */
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
