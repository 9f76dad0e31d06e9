/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * In which order arms take their turns: at random, and in every n rounds of n arms each arm stands
 * once in each place (a Latin square, drawn anew for the next n rounds). So what an arm gains from
 * its place, such as a machine that warms up or what the arm before left behind, no arm gains for
 * good. The same seed gives the same orders.
 */
public final class BalancedOrder {
  private BalancedOrder() {}

  /**
   * The arms of a round in their order.
   *
   * @param arms may be empty
   * @param round from 1
   */
  public static <A> List<A> of(List<A> arms, long seed, int round) {
    if (arms.isEmpty()) {
      return List.of();
    }
    int block = (round - 1) / arms.size();
    // Java's Random with neighbouring seeds begins with nearly the same numbers; this mixes them.
    Random random = new Random(new SplittableRandom(seed * 1_000_003 + block).nextLong());
    List<A> order = new ArrayList<>(arms);
    Collections.shuffle(order, random);
    List<Integer> shifts = new ArrayList<>();
    for (int shift = 0; shift < arms.size(); shift++) {
      shifts.add(shift);
    }
    Collections.shuffle(shifts, random);
    Collections.rotate(order, shifts.get((round - 1) % arms.size()));
    return order;
  }
}
