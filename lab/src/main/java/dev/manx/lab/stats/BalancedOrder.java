/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The order of the arms' turns: random, and in every n rounds of n arms each arm is once in each
 * position (a Latin square, drawn anew for the next n rounds). So effects of the position, such as
 * a warming machine or the state left by the previous arm, do not favour any arm permanently. Equal
 * seeds give equal orders.
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
    // Java's Random starts with nearly equal numbers for neighbouring seeds; this mixes them.
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
