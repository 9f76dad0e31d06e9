/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.spi.PolicyInfo;

/** {@code select.stock}: keeps the engine's ranking. */
final class StockSelector implements Selector {
  static final PolicyInfo POLICY =
      PolicyInfo.named("select.stock", "the engine's own ranking, unchanged")
          .source("baseline")
          .make(s -> new StockSelector());

  @Override
  public void rank(Request request, int read, int from, int to, ClusterView view) {}

  @Override
  public boolean actsWithoutQueue() {
    return false;
  }
}
