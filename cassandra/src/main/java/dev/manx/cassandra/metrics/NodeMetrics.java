/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.policy.facts.ClusterView;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.schema.Schema;

/**
 * Manx's metrics of this node: permanent ones, and those of tables and peers, which appear and
 * disappear with them. Registers nothing until {@link #refresh}, which one timer calls.
 */
public final class NodeMetrics {
  private static final long TURN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Registered registered;
  private final RequestMeasures measures;
  private final TableMetrics tables;
  private final PeerMetrics peers;
  private long nextTurnNanos;

  /**
   * @param registered the registry
   * @param view the known facts of peers
   * @param clock clock of the facts' ages
   */
  public NodeMetrics(
      Registered registered,
      RequestMeasures measures,
      Nodes nodes,
      ClusterView view,
      LongSupplier clock) {
    this.registered = registered;
    this.measures = measures;
    this.tables = new TableMetrics(registered, measures.requests());
    this.peers = new PeerMetrics(registered, nodes, view, clock);
    this.nextTurnNanos = clock.getAsLong() + TURN_NANOS;
  }

  /** Registers the permanent metrics: gauges, counters and histograms of the node. */
  public void begin(
      Map<String, Supplier<Number>> gauges,
      Map<String, Supplier<Number>> hooks,
      Map<String, LongSupplier> counters) {
    gauges.forEach((name, value) -> registered.add(name, gauge(value)));
    hooks.forEach((hook, value) -> registered.add("HookState", gauge(value), "hook", hook));
    counters.forEach((name, value) -> registered.add(name, new LiveCounter(value)));
    QueueWaits waits = measures.waits();
    wait("ranked", waits.ranked());
    wait("in-turn", waits.inTurn());
    for (Group group : Group.values()) {
      for (Width width : Width.values()) {
        for (Pressure pressure : Pressure.values()) {
          requests(group, width, pressure);
        }
      }
    }
  }

  private void requests(Group group, Width width, Pressure pressure) {
    RequestLatency requests = measures.requests();
    String[] keys = {"group", group.label(), "width", width.label(), "pressure", pressure.label()};
    registered.add(
        "RequestLatency", new BucketHistogram(() -> requests.all(width, group, pressure)), keys);
    registered.add(
        "RequestsTimedOut",
        new LiveCounter(() -> requests.failures(width, group, pressure).timedOut()),
        keys);
    registered.add(
        "RequestsFailed",
        new LiveCounter(() -> requests.failures(width, group, pressure).others()),
        keys);
  }

  private void wait(String readClass, DurationCounts waits) {
    registered.add("QueueWait", new BucketHistogram(() -> List.of(waits)), "class", readClass);
  }

  /** Registers new metrics and removes obsolete ones; called about once a second. */
  public void refresh(long nowNanos) {
    measures.requests().sweep(id -> Schema.instance.getTableMetadata(id) != null);
    tables.refresh();
    peers.refresh();
    if (nowNanos - nextTurnNanos >= 0) {
      nextTurnNanos = nowNanos + TURN_NANOS;
      measures.requests().turn();
      measures.waits().turn();
    }
  }

  /** A gauge of a number that is read on each call. */
  static Gauge<Number> gauge(Supplier<Number> value) {
    return value::get;
  }

  /** A counter whose count is kept elsewhere. */
  private static final class LiveCounter extends Counter {
    private final LongSupplier count;

    LiveCounter(LongSupplier count) {
      this.count = count;
    }

    @Override
    public long getCount() {
      return count.getAsLong();
    }
  }
}
