/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import java.util.List;

/**
 * A disturbance of the sessions and its measurement.
 *
 * @param squeeze kind of the disturbance
 * @param rounds repetitions of each arm
 * @param windowMillis length of each measured window
 * @param threads numbers of sessions, each measured separately
 * @param arms names of the measured arms
 */
record SqueezeCase(
    Squeeze squeeze, int rounds, long windowMillis, List<Integer> threads, List<String> arms) {
  enum Squeeze {
    UNRESTRICTED("unrestricted", "no disturbance"),
    PINNED("pinned", "confined to few cores"),
    PINNED_NICE(
        "pinned-nice",
        "confined; the priority of some is raised in the middle third of the window"),
    PINNED_NICE_THROUGHOUT(
        "pinned-nice-throughout", "confined; the priority of some is raised all the time");

    private final String label;
    private final String meaning;

    Squeeze(String label, String meaning) {
      this.label = label;
      this.meaning = meaning;
    }

    /** One line for the reference. */
    String meaning() {
      return meaning;
    }

    /** The name in the file, and the class in the result files. */
    String label() {
      return label;
    }

    boolean pins() {
      return this != UNRESTRICTED;
    }

    boolean boosts() {
      return this == PINNED_NICE || this == PINNED_NICE_THROUGHOUT;
    }
  }

  /** Time when priorities are raised; -1 for the start of the load. */
  long fromMillis() {
    return squeeze == Squeeze.PINNED_NICE ? windowMillis / 3 : -1;
  }

  /** Time when they are restored; -1 for the end. */
  long toMillis() {
    return squeeze == Squeeze.PINNED_NICE ? 2 * windowMillis / 3 : -1;
  }
}
