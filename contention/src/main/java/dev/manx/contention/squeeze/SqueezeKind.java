/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import java.util.Locale;

/** A disturbance of threads in a measured window; the class of its rows in the results. */
public enum SqueezeKind {
  UNRESTRICTED("no disturbance"),
  PINNED("confined to few cores"),
  PINNED_NICE("confined; the priority of some is raised in the middle third of the window"),
  PINNED_NICE_THROUGHOUT("confined; the priority of some is raised all the time");

  private final String meaning;

  SqueezeKind(String meaning) {
    this.meaning = meaning;
  }

  /** One line for the reference. */
  public String meaning() {
    return meaning;
  }

  /** The name in experiment and result files. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The kind of a label. */
  public static SqueezeKind ofLabel(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Whether the threads share few cores. */
  public boolean pins() {
    return this != UNRESTRICTED;
  }

  /** Whether some threads get another nice level. */
  public boolean boosts() {
    return this == PINNED_NICE || this == PINNED_NICE_THROUGHOUT;
  }

  /** When they get it, since the window's start; -1 for the start of the load. */
  public long fromNanos(long windowNanos) {
    return this == PINNED_NICE ? windowNanos / 3 : -1;
  }

  /** When they lose it, since the window's start; -1 for the end of the load. */
  public long toNanos(long windowNanos) {
    return this == PINNED_NICE ? 2 * windowNanos / 3 : -1;
  }
}
