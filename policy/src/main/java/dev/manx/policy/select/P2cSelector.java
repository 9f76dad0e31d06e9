/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.spi.PolicyInfo;
import java.util.random.RandomGenerator;

/**
 * {@code select.p2c}: the less loaded of two replicas drawn at random comes first, the others in
 * stock order. For a read that is sent to several replicas, each is chosen in this way among the
 * remaining ones.
 *
 * <p>Source: power of two choices, Mitzenmacher 2001. With as many choices as replicas, the least
 * loaded comes first. Deviations: with {@code signal: outstanding} or {@code work} the reads
 * planned for the same request count; with {@code signal: pending-reads} a node without a report of
 * the last second is judged as with {@code outstanding}.
 */
final class P2cSelector implements Selector {
  static final PolicyInfo POLICY =
      PolicyInfo.named("select.p2c", "the less loaded of two replicas drawn at random")
          .source("Mitzenmacher 2001")
          .settings(
              Setting.whole("choices", 2, 1, 64, "number of replicas drawn"),
              Setting.choice(
                  "signal",
                  Signal.class,
                  "measure of load; pending-reads needs that fact, and acts like outstanding for"
                      + " a node that has not reported for a second"))
          .make(s -> new P2cSelector(s.whole("choices"), s.choice("signal", Signal.class)));

  /** The measure of load. */
  public enum Signal {
    /** Outstanding reads of this coordinator. */
    OUTSTANDING,
    /** Outstanding forecast work of this coordinator. */
    WORK,
    /** The queue that the node reported within the last second, otherwise as outstanding. */
    PENDING_READS
  }

  private static final long MAX_AGE_NANOS = 1_000_000_000;

  private final int choices;
  private final Signal signal;

  /**
   * Creates a selector without state.
   *
   * @param choices replicas drawn, at least 1
   * @param signal the measure of load
   */
  P2cSelector(int choices, Signal signal) {
    this.choices = choices;
    this.signal = signal;
  }

  @Override
  public void rank(Request request, int read, int from, int to, ClusterView view) {
    int end = from + ReplicaChoices.choices(request, read, from, to);
    for (int place = from; place < end; place++) {
      request.toFront(place, choose(request, place, to, view));
    }
  }

  private int choose(Request request, int from, int to, ClusterView view) {
    int[] replicas = request.replicas();
    RandomGenerator random = request.random();
    int needed = Math.min(choices, to - from);
    int best = -1;
    long least = 0;
    int equals = 0;
    for (int i = from; needed > 0; i++) {
      // Selection sampling: every set of that many replicas is equally likely.
      if (random.nextInt(to - i) >= needed) {
        continue;
      }
      needed--;
      long load = load(request, replicas[i], view);
      if (best < 0 || load < least) {
        best = i;
        least = load;
        equals = 1;
      } else if (load == least && random.nextInt(++equals) == 0) {
        best = i;
      }
    }
    return best;
  }

  private long load(Request request, int node, ClusterView view) {
    return switch (signal) {
      case OUTSTANDING -> outstanding(request, node, view);
      case WORK -> view.outstandingWorkNanos(node) + request.plannedWorkNanos(node);
      // Otherwise a node that reported nothing would look idle, and one that reported a long queue
      // before it stopped reporting would never be asked again.
      case PENDING_READS ->
          view.ageNanos(FactColumn.PENDING_READS, node, request.nowNanos()) > MAX_AGE_NANOS
              ? outstanding(request, node, view)
              : view.value(FactColumn.PENDING_READS, node);
    };
  }

  private static long outstanding(Request request, int node, ClusterView view) {
    return (long) view.outstandingReads(node) + request.plannedReads(node);
  }

  @Override
  public boolean actsWithoutQueue() {
    return false;
  }
}
