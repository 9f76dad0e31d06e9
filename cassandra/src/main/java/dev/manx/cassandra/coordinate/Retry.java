/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.policy.Request;

/**
 * Ranks the reads that stock's speculative retry sends again.
 *
 * <p>A read that has waited long is retried although its first replica works: there, other reads go
 * first. Its copy is additional load just when queues are long, and reads of wide requests, which
 * wait longest, are those that it delays. So it waits behind all other reads of the second replica.
 * If a first replica is silent, the copy is the only hope and keeps the rank of its read.
 */
public final class Retry {
  private Retry() {}

  /**
   * Whether a read that is about to be sent is a retry that can wait: its consistency level does
   * not require this replica, and all replicas that it does require have answered some read within
   * the second half of the time since the request began. Call before {@link HeldPlan#concerns},
   * which counts the attempt.
   *
   * @param node the replica that it is sent to
   */
  public static boolean canWait(Engine engine, ThreadPlan plan, int read, int node) {
    if (!plan.isSent(read)) {
      return false;
    }
    Request request = plan.request();
    long now = engine.clock().nanoTime();
    long recent = (now - request.nowNanos()) / 2;
    for (int i = 0; i < request.contacts(read); i++) {
      int first = request.replica(read, i);
      // Read repair asks the same replicas again.
      if (first == node
          || first != engine.self() && !engine.signs().answeredWithin(first, recent, now)) {
        return false;
      }
    }
    return true;
  }
}
