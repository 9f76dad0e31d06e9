/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

/** Prefixes of settings in {@code environment.json} for which the report has separate tables. */
public final class SettingPrefix {
  /** A checker's verdict. */
  public static final String CHECK = "check: ";

  /** A speed of the simulator, with its arm and load. */
  public static final String SPEED = "speed: ";

  /** In place of arm and load, for the speed over all runs. */
  public static final String ALL_RUNS = "all runs";

  private SettingPrefix() {}
}
