/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;

/** {@code select.stock}: leaves the engine's own ranking as it is. */
public final class StockSelector implements Selector {
  @Override
  public void rank(Request request, int read, int from, int to, ClusterView view) {}

  @Override
  public boolean actsWithoutQueue() {
    return false;
  }
}
