/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code select.random}: a uniformly drawn replica first, the rest in stock order for retries. For
 * a read that is sent to several replicas, each is drawn among the remaining ones.
 */
final class RandomSelector implements Selector {
  static final PolicyInfo POLICY =
      PolicyInfo.named("select.random", "a replica drawn at random, the others in stock order")
          .source("baseline")
          .make(s -> new RandomSelector());

  @Override
  public void rank(Request request, int read, int from, int to, ClusterView view) {
    draw(request, read, from, to);
  }

  /** Draws the replicas that a read is sent to; the others stay in stock order. */
  static void draw(Request request, int read, int from, int to) {
    int end = from + ReplicaChoices.choices(request, read, from, to);
    for (int place = from; place < end; place++) {
      request.toFront(place, place + request.random().nextInt(to - place));
    }
  }
}
