/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.contention;

import dev.manx.contention.engine.Repetition;
import dev.manx.lab.experiment.Load;
import java.util.List;

/**
 * An experiment on a storage engine, resolved: every setting has its value.
 *
 * @param name as it stands in the result files
 * @param baseline the arm the others are compared with
 * @param data what the sessions work on
 * @param openLoop whether operations have intended starts; else sessions work without pause
 * @param loads rates, or shares of what one core can do; one that is not used for a closed loop
 * @param seeds of arrivals and keys
 * @param threads sessions, but where a case sweeps them
 * @param cores that sessions of a restricted case may use
 * @param boost sessions whose priority is raised: a share if below 1, else a number
 * @param nice the level that these get
 * @param warmUpMillis of load before each window
 * @param quiet when a repetition counts as noisy
 * @param cases in the file's order
 * @param arms in the file's order
 * @param text of {@code experiment.yaml}
 */
record ContentionExperiment(
    String name,
    String baseline,
    Repetition.Data data,
    boolean openLoop,
    List<Load> loads,
    List<Long> seeds,
    int threads,
    int cores,
    double boost,
    int nice,
    long warmUpMillis,
    Quiet quiet,
    List<Case> cases,
    List<EngineArm> arms,
    String text) {

  /** How many sessions of some get their priority raised: at least one. */
  int boosted(int ofThreads) {
    return boost < 1
        ? Math.max(1, (int) Math.round(boost * ofThreads))
        : Math.min(ofThreads, (int) boost);
  }

  /**
   * When a repetition is believed.
   *
   * @param foreign most CPU time that other processes may use, as a share of one core
   * @param steal most that other guests of the host may take, likewise
   * @param repeats how often a noisy repetition is repeated
   * @param atMost repeats in the whole run
   */
  record Quiet(double foreign, double steal, int repeats, int atMost) {}

  /** What is done to the sessions. */
  enum Squeeze {
    /** Nothing. */
    UNRESTRICTED("unrestricted"),
    /** Confined to few cores. */
    PINNED("pinned"),
    /** Confined; the priority of some is raised in the middle third of the window. */
    PINNED_NICE("pinned-nice"),
    /** Confined; the priority of some is raised all the time. */
    PINNED_NICE_THROUGHOUT("pinned-nice-throughout");

    private final String label;

    Squeeze(String label) {
      this.label = label;
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

  /**
   * One case.
   *
   * @param squeeze what is done
   * @param rounds repetitions of each arm
   * @param windowMillis length of each measured window
   * @param threads numbers of sessions, each measured on its own
   * @param arms names of those measured
   */
  record Case(
      Squeeze squeeze, int rounds, long windowMillis, List<Integer> threads, List<String> arms) {
    /** When priorities are raised; -1 for from the start of the load. */
    long fromMillis() {
      return squeeze == Squeeze.PINNED_NICE ? windowMillis / 3 : -1;
    }

    /** When they are restored; -1 for at the end. */
    long toMillis() {
      return squeeze == Squeeze.PINNED_NICE ? 2 * windowMillis / 3 : -1;
    }
  }

  /** The build that an arm runs on. */
  enum Build {
    /** As shipped. */
    STOCK,
    /** With ways of waiting to choose from. */
    PATCHED,
    /** Debian's package. */
    DEBIAN
  }

  /**
   * One side of a comparison.
   *
   * @param name as it stands in every result file and legend
   * @param description for people
   * @param build the library
   * @param waiting how threads wait for transaction ids; empty where the build is as shipped
   * @param sleepMicros of the way {@code sleep}
   * @param limit sessions inside the engine at a time; 0 for no limit, -1 for as many as cores
   */
  record EngineArm(
      String name, String description, Build build, String waiting, int sleepMicros, int limit) {
    /** The limit of sessions where so many cores are allowed. */
    int admitted(int cores) {
      return limit < 0 ? cores : limit;
    }
  }
}
