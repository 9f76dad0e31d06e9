/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import dev.manx.workload.PlannedRequest;
import dev.manx.workload.Requests;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Requests of a mix of statements, one at a random time in each slot. In no second are more than
 * the rate plus one sent, although each may be late within a bound: a slot is {@code (1 s + bound)
 * / rate}. A request's key ids are its rows, numbered across all statements.
 */
public final class OwnStream implements Requests {
  private static final int MAX_TRIES = 64;

  private final List<Part> parts;
  private final double slotNanos;
  private final double weights;
  private final SplittableRandom random;
  private final SplittableRandom rowOf;
  private long sequence;

  /**
   * A statement of the mix.
   *
   * @param weight relative weight
   * @param least smallest number of keys of a request
   * @param most largest number of keys of a request
   * @param from id of its first row
   * @param rows number of its rows, at least {@code most}
   */
  record Part(double weight, int least, int most, int from, int rows) {
    /** Mean number of rows of a request. */
    double rowsPerRequest() {
      return (least + most) / 2.0;
    }
  }

  /**
   * Requests of a mix.
   *
   * @param seed of the times, the statements and their numbers of keys
   * @param keySeed of the keys
   */
  OwnStream(List<Part> parts, double perSecond, long mostLateNanos, long seed, long keySeed) {
    this.parts = List.copyOf(parts);
    slotNanos = slotNanos(perSecond, mostLateNanos);
    weights = parts.stream().mapToDouble(Part::weight).sum();
    random = new SplittableRandom(seed);
    rowOf = new SplittableRandom(keySeed);
  }

  static double slotNanos(double perSecond, long mostLateNanos) {
    return (1e9 + mostLateNanos) / perSecond;
  }

  @Override
  public PlannedRequest next() {
    long intended = (long) ((sequence + random.nextDouble()) * slotNanos);
    Part part = part(random.nextDouble() * weights);
    Set<Integer> ids = new LinkedHashSet<>();
    int keys = random.nextInt(part.least(), part.most() + 1);
    while (ids.size() < keys) {
      ids.add(another(part, ids));
    }
    return new PlannedRequest(
        sequence++, intended, false, ids.stream().mapToInt(Integer::intValue).toArray());
  }

  private Part part(double at) {
    double passed = 0;
    for (Part part : parts) {
      passed += part.weight();
      if (at < passed) {
        return part;
      }
    }
    return parts.get(parts.size() - 1);
  }

  /** Draws until the row is new; after a bounded number of tries takes the next one. */
  private int another(Part part, Set<Integer> taken) {
    int row = rowOf.nextInt(part.rows());
    for (int tries = 0; tries < MAX_TRIES && taken.contains(part.from() + row); tries++) {
      row = rowOf.nextInt(part.rows());
    }
    while (taken.contains(part.from() + row)) {
      row = (row + 1) % part.rows();
    }
    return part.from() + row;
  }
}
