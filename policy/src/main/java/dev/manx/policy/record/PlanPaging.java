/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

/** How the keys of a request are read. */
public enum PlanPaging {
  /** All keys at once. */
  NONE,
  /** By stock one after another, because the driver pages them; by Manx all at once. */
  STOCKS,
  /** One after another by Manx too, because together they exceed one of its limits. */
  ALWAYS;

  /** The value in a log; 0 is not written. */
  int code() {
    return ordinal();
  }

  /** Reads a value; an unknown one is none. */
  static PlanPaging of(String code) {
    return switch (code) {
      case "1" -> STOCKS;
      case "2" -> ALWAYS;
      default -> NONE;
    };
  }
}
