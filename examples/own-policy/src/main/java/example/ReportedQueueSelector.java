/* SPDX-License-Identifier: Apache-2.0 */
package example;

import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyProvider;
import java.util.List;

/**
 * {@code select.reported-queue}: the replica with the fewest reads waiting or running, by its own
 * last report plus the reads that this coordinator has outstanding there. A report older than
 * {@code max-age} counts as an empty queue, so that an idle node is tried again.
 */
public final class ReportedQueueSelector implements Selector {
  static final PolicyInfo POLICY =
      PolicyInfo.named("select.reported-queue", "fewest reads waiting, as the nodes report it")
          .source("an example")
          .settings(
              Setting.duration("max-age", "500ms", "1ms", "1min", "older reports do not count"))
          .facts("pending-reads")
          .make(settings -> new ReportedQueueSelector(settings.number("max-age")));

  /** Adds it to Manx's registry; a service file names this class. */
  public static final class Provider implements PolicyProvider {
    @Override
    public List<PolicyInfo> policies() {
      return List.of(POLICY);
    }
  }

  private final long maxAgeNanos;

  ReportedQueueSelector(long maxAgeNanos) {
    this.maxAgeNanos = maxAgeNanos;
  }

  @Override
  public void rank(Request request, int read, int from, int to, ClusterView view) {
    int[] replicas = request.replicas();
    long[] load = request.scratch(to - from);
    for (int i = from; i < to; i++) {
      int node = replicas[i];
      // Ties are broken at random, else all coordinators would choose the same node.
      long score = 2 * load(request, node, view) + request.random().nextInt(2);
      int place = i;
      for (; place > from && load[place - 1 - from] > score; place--) {
        load[place - from] = load[place - 1 - from];
        replicas[place] = replicas[place - 1];
      }
      load[place - from] = score;
      replicas[place] = node;
    }
  }

  private long load(Request request, int node, ClusterView view) {
    long age = view.ageNanos(FactColumn.PENDING_READS, node, request.nowNanos());
    long reported = age <= maxAgeNanos ? view.value(FactColumn.PENDING_READS, node) : 0;
    return reported + view.outstandingReads(node) + request.plannedReads(node);
  }
}
