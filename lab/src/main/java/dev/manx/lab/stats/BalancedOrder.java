/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Determines the order of the arms' turns: random, and in every n rounds of n arms each arm is once
 * in each position (a Latin square, drawn anew for the next rounds). So effects of the position,
 * such as a warming machine, do not favour any arm permanently. Nor do effects of the previous arm,
 * such as the state of a snitch or of a compiler: the square is Williams' (1949), in which each arm
 * follows each other arm within a round equally often, once in n rounds; for an odd n this takes 2n
 * rounds, of which the second n are the first ones reversed. Equal seeds give equal orders.
 */
public final class BalancedOrder {
  private BalancedOrder() {}

  /**
   * The rounds after which each arm was equally often in each position and after each other arm.
   */
  public static int rounds(int arms) {
    return arms % 2 == 1 && arms > 1 ? 2 * arms : arms;
  }

  /**
   * The arms of a round in their order.
   *
   * @param arms may be empty
   * @param round from 1
   */
  public static <A> List<A> of(List<A> arms, long seed, int round) {
    int size = arms.size();
    if (size == 0) {
      return List.of();
    }
    int block = (round - 1) / size;
    boolean odd = size % 2 == 1;
    Random names = random(seed, odd ? block / 2 : block);
    List<A> named = new ArrayList<>(arms);
    Collections.shuffle(named, names);
    List<Integer> rows = new ArrayList<>();
    for (int row = 0; row < size; row++) {
      rows.add(row);
    }
    Collections.shuffle(rows, odd ? random(~seed, block) : names);
    int row = rows.get((round - 1) % size);
    List<A> order = new ArrayList<>();
    for (int place = 0; place < size; place++) {
      order.add(named.get((zigzag(place, size) + row) % size));
    }
    if (odd && block % 2 == 1) {
      Collections.reverse(order);
    }
    return order;
  }

  /**
   * 0, n - 1, 1, n - 2, ...: for an even n each difference of neighbours, modulo n, occurs once.
   */
  private static int zigzag(int place, int size) {
    return place % 2 == 0 ? place / 2 : size - 1 - place / 2;
  }

  // Java's Random starts with nearly equal numbers for neighbouring seeds; this mixes them.
  private static Random random(long seed, int block) {
    return new Random(new SplittableRandom(seed * 1_000_003 + block).nextLong());
  }
}
