/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Requests for tests. */
public final class Requests {
  private Requests() {}

  /** A request of one read with the given replicas in one group. */
  public static Request single(RandomGenerator random, int... replicas) {
    Request request = new Request();
    request.begin(0, random, 16);
    request.addRead(null, 1, 1);
    for (int node : replicas) {
      request.addReplica(node, 0);
    }
    return request;
  }

  /** Adds a read that only one node can serve, with its forecasts. */
  public static void pinned(Request request, int node, long cost) {
    int read = request.addRead(null, request.reads(), 1);
    request.addReplica(node, 0);
    request.forecast(read, cost, cost, cost);
  }

  /** A copy of a read's replicas in their ranking. */
  public static int[] ranking(Request request, int read) {
    int from = request.replicaStart(read);
    return Arrays.copyOfRange(request.replicas(), from, from + request.replicaCount(read));
  }
}
