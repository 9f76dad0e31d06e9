/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import java.util.List;

/**
 * A disturbance of the sessions, and how it is measured.
 *
 * @param squeeze what is done
 * @param rounds repetitions of each arm
 * @param windowMillis length of each measured window
 * @param threads numbers of sessions, each measured on its own
 * @param arms names of those measured
 */
record SqueezeCase(
    Squeeze squeeze, int rounds, long windowMillis, List<Integer> threads, List<String> arms) {
  /** The disturbance of the sessions. */
  enum Squeeze {
    /** Nothing. */
    UNRESTRICTED("unrestricted", "nothing is done"),
    /** Confined to few cores. */
    PINNED("pinned", "confined to few cores"),
    /** Confined; the priority of some is raised in the middle third of the window. */
    PINNED_NICE(
        "pinned-nice",
        "confined; the priority of some is raised in the middle third of the window"),
    /** Confined; the priority of some is raised all the time. */
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

    /** As in the file, and as the class of the result files. */
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

  /** When priorities are raised; -1 for from the start of the load. */
  long fromMillis() {
    return squeeze == Squeeze.PINNED_NICE ? windowMillis / 3 : -1;
  }

  /** When they are restored; -1 for at the end. */
  long toMillis() {
    return squeeze == Squeeze.PINNED_NICE ? 2 * windowMillis / 3 : -1;
  }
}
