/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Metric;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.FactColumn;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.metrics.CassandraMetricsRegistry.MetricName;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class NodeMetricsTest {
  private static final long MILLI = 1_000_000;

  private long now;
  private int failures;
  private final Map<String, Metric> map = new TreeMap<>();
  private final Nodes nodes = new Nodes(8);
  private final ClusterState state = new ClusterState(8);
  private final RequestMeasures measures = RequestMeasures.of(CanaryConfig.ALL, 1);
  private final Registered registered = new Registered(new InMap(), () -> failures++);
  private final NodeMetrics metrics =
      new NodeMetrics(registered, measures, nodes, state, () -> now);

  /** A registry without a node. */
  private final class InMap implements Registered.Registry {
    @Override
    public Metric register(MetricName name, Metric metric) {
      Metric earlier = map.putIfAbsent(name.getMBeanName().toString(), metric);
      return earlier == null ? metric : earlier;
    }

    @Override
    public void remove(MetricName name) {
      map.remove(name.getMBeanName().toString());
    }
  }

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private static String bean(String rest) {
    return "org.apache.cassandra.metrics:type=Manx," + rest;
  }

  private static TableMetadata table(String name) {
    return Schema.instance.getTableMetadata("ks", name);
  }

  private void begin(Registered into) {
    new NodeMetrics(into, measures, nodes, state, () -> now)
        .begin(
            Map.of("Mode", () -> 2), Map.of("snitch", () -> 1), Map.of("RequestsPlanned", () -> 7));
  }

  private Object value(String rest) {
    return ((Gauge<?>) map.get(bean(rest))).getValue();
  }

  private long count(String rest) {
    return ((Counter) map.get(bean(rest))).getCount();
  }

  private Histogram histogram(String rest) {
    return (Histogram) map.get(bean(rest));
  }

  @Test
  void permanentMetricsAreRegisteredAndReadAnew() {
    begin(registered);
    assertThat(value("name=Mode")).isEqualTo(2);
    assertThat(value("hook=snitch,name=HookState")).isEqualTo(1);
    assertThat(count("name=RequestsPlanned")).isEqualTo(7);
    measures.waits().left(true, 3 * MILLI);
    assertThat(histogram("class=in-turn,name=QueueWait").getCount()).isEqualTo(1);
    assertThat(histogram("class=ranked,name=QueueWait").getCount()).isZero();
    measures.follow(table("plain"), 40, true, false, 1, now).ended(now + 41 * MILLI);
    Histogram acted = histogram("group=acted,width=21-100,pressure=busy,name=RequestLatency");
    assertThat(acted.getCount()).isEqualTo(1);
    assertThat(acted.getSnapshot().get99thPercentile()).isBetween(41_000.0, 41_000 * 1.125);
    assertThat(histogram("group=control,width=21-100,pressure=busy,name=RequestLatency").getCount())
        .isZero();
    assertThat(failures).isZero();
  }

  @Test
  void failuresOfTheTwoGroupsAreCounters() {
    begin(registered);
    TableMetadata plain = table("plain");
    measures.follow(plain, 40, true, false, 1, 0).ended(MILLI, Ending.FAILED);
    measures.follow(plain, 40, true, false, 1, 0).ended(MILLI, Ending.TIMED_OUT);
    measures.follow(plain, 40, true, false, 1, 0).ended(MILLI, Ending.TIMED_OUT);
    measures.follow(plain, 40, false, false, 1, 0).ended(MILLI, Ending.FAILED);
    String acted = "group=acted,width=21-100,pressure=busy,name=";
    assertThat(count(acted + "RequestsFailed")).isEqualTo(1);
    assertThat(count(acted + "RequestsTimedOut")).isEqualTo(2);
    assertThat(histogram(acted + "RequestLatency").getCount()).as("latencies").isEqualTo(2);
    String control = "group=control,width=21-100,pressure=busy,name=";
    assertThat(count(control + "RequestsFailed")).isEqualTo(1);
    assertThat(count(control + "RequestsTimedOut")).isZero();
    assertThat(count("group=acted,width=1,pressure=busy,name=RequestsFailed")).isZero();
  }

  @Test
  void tablesAppearWithTheirFirstRequestAndShareOneEntryBeyondTheBound() {
    metrics.refresh(now);
    assertThat(map).isEmpty();
    measures.follow(table("plain"), 1, true, true, 1, 0).ended(MILLI);
    measures.follow(table("wide"), 3, false, true, 1, 0).ended(MILLI);
    measures.follow(table("wide"), 3, true, true, 1, 0).ended(MILLI);
    metrics.refresh(now);
    assertThat(map)
        .containsOnlyKeys(
            bean("keyspace=ks,scope=plain,width=1,name=TableLatency"),
            bean("keyspace=other,scope=other,width=2-5,name=TableLatency"));
    assertThat(histogram("keyspace=other,scope=other,width=2-5,name=TableLatency").getCount())
        .isEqualTo(2);
  }

  /** Otherwise a few busy seconds would outweigh an hour. */
  @Test
  void aSampledRequestCountsAsOftenAsTheRequestsThatItRepresents() {
    TableMetadata plain = table("plain");
    measures.follow(plain, 1, false, true, 64, 0).ended(MILLI);
    measures.follow(plain, 1, true, false, 1, 0).ended(20 * MILLI);
    measures.follow(plain, 1, true, false, 1, 0).ended(20 * MILLI);
    metrics.refresh(now);
    Histogram latency = histogram("keyspace=ks,scope=plain,width=1,name=TableLatency");
    assertThat(latency.getCount()).isEqualTo(66);
    assertThat(latency.getSnapshot().getMedian()).isBetween(1_000.0, 1_000 * 1.125);
    assertThat(latency.getSnapshot().get99thPercentile()).isBetween(20_000.0, 20_000 * 1.125);
    assertThat(measures.requests().rows())
        .filteredOn(row -> row.table().equals("ks.plain"))
        .extracting(row -> row.acted().count() + row.control().count())
        .as("groups are compared by what was recorded")
        .containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void aDroppedTableFreesItsEntry() {
    measures.follow(table("plain"), 1, true, true, 1, 0).ended(MILLI);
    measures.requests().sweep(id -> false);
    metrics.refresh(now);
    assertThat(map).containsOnlyKeys(bean("keyspace=other,scope=other,width=1,name=TableLatency"));
    measures.follow(table("wide"), 1, true, true, 1, 0).ended(MILLI);
    metrics.refresh(now);
    assertThat(map).containsKey(bean("keyspace=ks,scope=wide,width=1,name=TableLatency"));
    assertThat(measures.requests().all(Width.ONE, Group.ACTED, Pressure.CALM))
        .extracting(each -> Quantiles.of(List.of(each)).count())
        .containsExactlyInAnyOrder(1L, 1L);
  }

  @Test
  void anotherCanaryStartsTheComparisonAnew() {
    measures.follow(table("plain"), 1, true, true, 1, 0).ended(MILLI);
    measures.canary(CanaryConfig.parse("t", "{ tables: [ks.wide] }"));
    assertThat(measures.requests().rows()).isEmpty();
    measures.follow(table("plain"), 1, false, true, 1, 0).ended(MILLI);
    assertThat(measures.requests().rows())
        .as("a table that the canary excludes is not compared")
        .singleElement()
        .satisfies(row -> assertThat(row.table()).isEqualTo("ks.plain"));
    measures.follow(table("wide"), 1, false, true, 1, 0).ended(MILLI);
    assertThat(measures.requests().rows())
        .as("a table that the canary includes takes the entry of one that it excludes")
        .extracting(RequestLatency.Row::table)
        .containsExactly("all", "ks.wide");
  }

  @Test
  void peersComeAndGo() throws Exception {
    InetAddressAndPort peer = InetAddressAndPort.getByName("127.0.0.9:7000");
    int node = nodes.id(peer);
    metrics.refresh(now);
    assertThat(map).hasSize(6);
    assertThat((Double) value("peer=127.0.0.9_7000,name=PeerHopPrice")).isNaN();
    assertThat((Double) value("peer=127.0.0.9_7000,name=PeerFactsAge")).isNaN();
    state.apply(FactColumn.HOP_PRICE, node, 250_000, now);
    state.apply(FactColumn.SLOWNESS, node, 1_500, now);
    now += TimeUnit.SECONDS.toNanos(2);
    assertThat(value("peer=127.0.0.9_7000,name=PeerHopPrice")).isEqualTo(250.0);
    assertThat(value("peer=127.0.0.9_7000,name=PeerSlowness")).isEqualTo(1.5);
    assertThat(value("peer=127.0.0.9_7000,name=PeerFactsAge")).isEqualTo(2.0);
    assertThat(value("peer=127.0.0.9_7000,name=PeerOutstandingReads")).isEqualTo(0);
    nodes.release(peer);
    metrics.refresh(now);
    assertThat(map).isEmpty();
  }

  @Test
  void quantilesForgetAfterTwoMinutes() {
    begin(registered);
    measures.waits().left(false, MILLI);
    Histogram waits = histogram("class=ranked,name=QueueWait");
    for (int minute = 0; minute < 2; minute++) {
      assertThat(waits.getSnapshot().size()).isEqualTo(1);
      now += TimeUnit.MINUTES.toNanos(1);
      metrics.refresh(now);
    }
    assertThat(waits.getSnapshot().size()).isZero();
    assertThat(waits.getCount()).isEqualTo(1);
  }

  @Test
  void closedNothingIsLeft() {
    begin(registered);
    measures.follow(table("plain"), 1, true, true, 1, 0).ended(MILLI);
    metrics.refresh(now);
    registered.close();
    assertThat(map).isEmpty();
    assertThat(registered.describe()).isEqualTo("0 in Cassandra's registry");
    metrics.refresh(now);
    assertThat(map).as("the refreshing thread continues").isEmpty();
  }

  @Test
  void aRegistryThatThrowsIsCountedAndNothingElseHappens() {
    Registered broken =
        new Registered(
            new Registered.Registry() {
              @Override
              public Metric register(MetricName name, Metric metric) {
                throw new NoSuchMethodError("register");
              }

              @Override
              public void remove(MetricName name) {
                throw new NoSuchMethodError("remove");
              }
            },
            () -> failures++);
    begin(broken);
    int first = failures;
    assertThat(first).isEqualTo(1 + 1 + 1 + 2 + 3 * 20);
    assertThat(broken.describe())
        .startsWith("0 in Cassandra's registry; ")
        .contains("NoSuchMethodError");
    nodes.id(InetAddressAndPort.getLoopbackAddress());
    NodeMetrics others = new NodeMetrics(broken, measures, nodes, state, () -> now);
    others.refresh(now);
    others.refresh(now);
    assertThat(failures).as("each is tried once").isEqualTo(first + 6);
    broken.close();
  }

  @Test
  void aNameInUseIsCounted() {
    begin(registered);
    Registered second = new Registered(new InMap(), () -> failures++);
    second.add("Mode", NodeMetrics.gauge(() -> 0));
    assertThat(failures).isEqualTo(1);
    second.close();
    assertThat(value("name=Mode")).as("another's stays").isEqualTo(2);
  }

  @Test
  void theNodesOwnRegistryShowsThemAsBeans() throws Exception {
    Registered real = new Registered(Registered.ofCassandra(), () -> failures++);
    begin(real);
    Set<ObjectName> beans =
        ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName(bean("*")), null);
    assertThat(beans).hasSize(1 + 1 + 1 + 2 + 3 * 20);
    assertThat(
            ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName(bean("name=Mode")), "Value"))
        .isEqualTo(2);
    assertThat(
            ManagementFactory.getPlatformMBeanServer()
                .getAttribute(
                    new ObjectName(bean("class=ranked,name=QueueWait")), "99thPercentile"))
        .isEqualTo(0.0);
    real.close();
    assertThat(
            ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName(bean("*")), null))
        .isEmpty();
    assertThat(failures).isZero();
  }
}
