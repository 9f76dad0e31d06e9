/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.top;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.operate.look.NodeState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Samples nodes repeatedly; a node that does not answer does not delay the others. */
final class Looks {
  private final Cluster cluster;
  private final List<Member> nodes;
  private final Map<Member, Future<Look>> pending = new HashMap<>();

  Looks(Cluster cluster, List<Member> nodes) {
    this.cluster = cluster;
    this.nodes = nodes;
  }

  /**
   * One sample of each node, in their order.
   *
   * @param patienceNanos time limit for all nodes together
   */
  List<Look> look(long patienceNanos) throws InterruptedException {
    long deadline = System.nanoTime() + patienceNanos;
    for (Member node : nodes) {
      pending.computeIfAbsent(node, one -> cluster.begin(one, Look::read));
    }
    List<Look> looks = new ArrayList<>();
    for (Member node : nodes) {
      looks.add(answer(node, Math.max(0, deadline - System.nanoTime())));
    }
    return looks;
  }

  private Look answer(Member node, long patienceNanos) throws InterruptedException {
    try {
      Look look = pending.get(node).get(patienceNanos, TimeUnit.NANOSECONDS);
      pending.remove(node);
      return look;
    } catch (TimeoutException e) {
      // The query continues; its answer counts for the next sample.
      return silent(node, "no answer yet");
    } catch (ExecutionException e) {
      pending.remove(node);
      return silent(node, String.valueOf(e.getCause()));
    }
  }

  private static Look silent(Member node, String why) {
    return Look.of(NodeState.without(node, NodeState.Manx.UNREACHABLE, why, System.nanoTime()));
  }
}
