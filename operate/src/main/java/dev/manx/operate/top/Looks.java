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

/** Looks at nodes again and again; a node that does not answer holds up no other. */
final class Looks {
  private final Cluster cluster;
  private final List<Member> nodes;
  private final Map<Member, Future<Look>> pending = new HashMap<>();

  Looks(Cluster cluster, List<Member> nodes) {
    this.cluster = cluster;
    this.nodes = nodes;
  }

  /**
   * One look at each node, in their order.
   *
   * @param patienceNanos how long all nodes together may take
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
      // Asked on; its answer counts at the next look.
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
