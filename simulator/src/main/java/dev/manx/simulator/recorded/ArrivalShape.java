/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How recorded requests arrive, compared with Poisson arrivals.
 *
 * @param share share of the requests whose plan was recorded
 * @param together whether the requests of all coordinators are on one line of time
 * @param scales the index of dispersion at several scales, the shortest first; empty if there are
 *     too few requests
 */
public record ArrivalShape(double share, boolean together, List<Dispersion> scales) {
  /** Share of the requests from which their times can be played. */
  static final double WHOLE = 0.9;

  /** A smaller difference of the index from 1, however certain, does not matter for the tail. */
  private static final double LEAST_DIFFERENCE = 0.1;

  /** Copies the list. */
  public ArrivalShape {
    scales = List.copyOf(scales);
  }

  /** Describes a recording. */
  public static ArrivalShape of(Recording recording) {
    List<Timeline> lines = Timeline.of(recording);
    return new ArrivalShape(recording.plannedShare(), lines.size() == 1, Dispersion.of(lines));
  }

  /**
   * Whether (almost) all requests were recorded. A sample of the requests is nearer to Poisson
   * arrivals than all requests together, and does not show their bursts.
   */
  public boolean isWhole() {
    return share >= WHOLE;
  }

  /**
   * The scale at which the recorded requests are farthest from Poisson arrivals: the most variable
   * one, or the least variable if none is more variable; empty if at every scale Poisson arrivals
   * could look like this, or the index of all requests is within a tenth of theirs.
   */
  public Optional<Dispersion> deviation() {
    Optional<Dispersion> most =
        scales.stream()
            .filter(scale -> scale.index() > scale.hi() && matters(scale))
            .max(Comparator.comparingDouble(Dispersion::index));
    return most.isPresent()
        ? most
        : scales.stream()
            .filter(scale -> scale.deviates() && matters(scale))
            .min(Comparator.comparingDouble(Dispersion::index));
  }

  private boolean matters(Dispersion scale) {
    return Math.abs(indexOfAll(scale) - 1) >= LEAST_DIFFERENCE;
  }

  /**
   * The index of all requests, from that of the recorded ones: a sample of share p of arrivals with
   * index I has the index 1 + p (I - 1). If a node has no plan at all, the recorded index.
   */
  public double indexOfAll(Dispersion scale) {
    return share == 0 ? scale.index() : Math.max(0, 1 + (scale.index() - 1) / share);
  }

  /**
   * The arrivals to play for a comparison with measured latencies: the recorded ones if all are
   * known, even if they look like Poisson arrivals. Otherwise the comparison would show by how much
   * the recording differs from the mean of all recordings: at a high load the P99 of two recordings
   * of a minute may differ by half.
   */
  public ArrivalTimes compared() {
    return isWhole() ? ArrivalTimes.RECORDED : ArrivalTimes.POISSON;
  }

  /** The arrivals to play: the recorded ones if all are known and they are not Poisson. */
  public ArrivalTimes times() {
    return isWhole() && deviation().isPresent() ? ArrivalTimes.RECORDED : ArrivalTimes.POISSON;
  }
}
