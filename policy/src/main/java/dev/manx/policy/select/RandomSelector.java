/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.spi.PolicyInfo;

/** {@code select.random}: a uniformly drawn replica first, the rest in stock order for retries. */
final class RandomSelector implements Selector {
  static final PolicyInfo POLICY =
      PolicyInfo.named("select.random", "a replica drawn at random, the others in stock order")
          .source("baseline")
          .make(s -> new RandomSelector());

  @Override
  public void rank(Request request, int read, int from, int to, ClusterView view) {
    if (to - from < 2) {
      return;
    }
    int[] replicas = request.replicas();
    int at = from + request.random().nextInt(to - from);
    int drawn = replicas[at];
    System.arraycopy(replicas, from, replicas, from + 1, at - from);
    replicas[from] = drawn;
  }
}
