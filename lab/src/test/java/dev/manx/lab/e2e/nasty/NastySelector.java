/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e.nasty;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes a ranking that is not a permutation, throws, overflows the stack, leaves much garbage, or
 * does not return.
 */
final class NastySelector implements Selector {
  private final String does;
  private final AtomicInteger asked = new AtomicInteger();

  NastySelector(String does) {
    this.does = does;
  }

  @Override
  public void rank(Request request, int read, int from, int to, ClusterView view) {
    switch (does) {
      case "nonsense" -> request.replicas()[from] = -7;
      case "duplicate" -> request.replicas()[from] = request.replicas()[to - 1];
      case "foreign" -> request.replicas()[from] = other(request.replicas(), from, to);
      case "throw" -> throw new IllegalStateException("nasty");
      case "overflow" -> request.replicas()[from] = deeper(from);
      case "allocate" -> NastyPolicies.allocate();
      case "block" -> NastyPolicies.block();
      default -> {}
    }
  }

  /** The first node that is not among these replicas. */
  private static int other(int[] replicas, int from, int to) {
    int node = 0;
    while (contains(replicas, from, to, node)) {
      node++;
    }
    return node;
  }

  private static boolean contains(int[] replicas, int from, int to, int node) {
    for (int i = from; i < to; i++) {
      if (replicas[i] == node) {
        return true;
      }
    }
    return false;
  }

  private static int deeper(int level) {
    return level < 0 ? level : deeper(level + 1) + 1;
  }

  @Override
  public void sent(int node, long costNanos) {
    switch (does) {
      case "block-sent" -> NastyPolicies.block();
      case "throw-sent" -> throw new IllegalStateException("nasty");
      default -> {}
    }
  }

  @Override
  public boolean followsReadsAtHome() {
    if (does.equals("block-again") && asked.getAndIncrement() > 0) {
      NastyPolicies.block();
    }
    return true;
  }

  @Override
  public void tick(ClusterView view, long nowNanos) {
    if (does.equals("block-tick")) {
      NastyPolicies.block();
    }
  }
}
