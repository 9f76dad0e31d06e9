/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.policy.Request;
import dev.manx.policy.facts.HopMeter;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForRange;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The replicas that Cassandra gets for a planned read, and the number of times that stock sorts
 * them.
 */
@Timeout(60)
class ManxSnitchTest {
  private static final Token TOKEN = new LongToken(7);

  private final List<Replica> ring = new ArrayList<>();
  private final ThreadPlan plan = ThreadPlan.current();
  private Engine engine;
  private ManxSnitch snitch;
  private int sorts;
  // The replicas that stock sorted last.
  private ReplicaCollection<?> given;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @BeforeEach
  void begin() throws UnknownHostException {
    engine = TestEngines.of("strategy: manx", () -> 7);
    Range<Token> all =
        new Range<>(
            Murmur3Partitioner.instance.getMinimumToken(),
            Murmur3Partitioner.instance.getMinimumToken());
    for (int i = 1; i <= 3; i++) {
      ring.add(Replica.fullReplica(InetAddressAndPort.getByName("127.0.0." + i), all));
    }
    // Stock's order is the reversed ring.
    IEndpointSnitch stock =
        (IEndpointSnitch)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {IEndpointSnitch.class},
                (proxy, method, arguments) -> {
                  sorts++;
                  given = backwards((ReplicaCollection<?>) arguments[1]);
                  return given;
                });
    snitch = new ManxSnitch(stock, () -> engine);
  }

  @AfterEach
  void end() {
    plan.stayHome(false, false);
    plan.close();
  }

  private EndpointsForToken natural() {
    return EndpointsForToken.copyOf(TOKEN, ring);
  }

  private static <C extends ReplicaCollection<? extends C>> C backwards(C replicas) {
    return replicas.sorted((a, b) -> b.endpoint().compareTo(a.endpoint()));
  }

  /** Opens a plan of one read whose replicas are ranked in the order of these numbers. */
  private void plan(boolean acts, int... ranked) {
    Request request = plan.request();
    request.begin(0, new SplittableRandom(1), 16);
    EndpointsForToken sorted = backwards(natural());
    int read = request.addRead(null, 7, 1);
    plan.token(read, new LongToken(7), sorted);
    for (Replica replica : sorted) {
      request.addReplica(engine.nodes().id(replica.endpoint()), 0);
    }
    plan.stockFirst(request);
    for (int rank = 0; rank < ranked.length; rank++) {
      request.replicas()[rank] = engine.nodes().id(ring.get(ranked[rank]).endpoint());
    }
    plan.open(1, acts, false);
  }

  private List<Replica> sorted(EndpointsForToken replicas) {
    List<Replica> sorted = new ArrayList<>();
    snitch
        .sortedByProximity(FBUtilities.getBroadcastAddressAndPort(), replicas)
        .forEach(sorted::add);
    return sorted;
  }

  @Test
  void theOrderOfThePlanIsApplied() {
    plan(true, 1, 2, 0);
    assertThat(sorted(natural())).containsExactly(ring.get(1), ring.get(2), ring.get(0));
    assertThat(sorted(natural()))
        .as("asked again")
        .containsExactly(ring.get(1), ring.get(2), ring.get(0));
    assertThat(sorts).isZero();
    assertThat(engine.counters().get(Counter.SELECT_APPLIED)).isEqualTo(2);
  }

  @Test
  void aPlanThatKeepsStocksOrderCreatesNoOtherOrder() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    EndpointsForToken natural = natural();
    long allocated = Long.MAX_VALUE;
    for (int i = 0; i < 100; i++) {
      plan(true, 2, 1, 0);
      long before = threads.getCurrentThreadAllocatedBytes();
      EndpointsForToken sorted = snitch.sortedByProximity(self, natural);
      allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
      assertThat(sorted.get(0)).isSameAs(ring.get(2));
      plan.close();
    }
    assertThat(sorts).isZero();
    assertThat(allocated).isZero();
    plan(true, 2, 1, 0);
    assertThat(sorted(natural)).containsExactly(ring.get(2), ring.get(1), ring.get(0));
    assertThat(sorted(natural)).containsExactly(ring.get(2), ring.get(1), ring.get(0));
  }

  /**
   * Shadow mode; when Cassandra sorts a second time, for a repair, the nodes' scores have changed.
   */
  @Test
  void stockSortsOnceForAPlanThatDoesNotAct() {
    plan(false, 1, 2, 0);
    assertThat(sorted(natural())).containsExactly(ring.get(2), ring.get(1), ring.get(0));
    assertThat(sorts).isZero();
    assertThat(sorted(natural())).containsExactly(ring.get(2), ring.get(1), ring.get(0));
    assertThat(sorts).isEqualTo(1);
    assertThat(engine.counters().get(Counter.SELECT_APPLIED)).isZero();
  }

  private <C extends ReplicaCollection<? extends C>> void leftToStock(
      InetAddressAndPort address, C replicas) {
    given = null;
    C sorted = snitch.sortedByProximity(address, replicas);
    assertThat((Object) sorted).as("stock's object").isNotNull().isSameAs(given);
  }

  /** Counters, hints and repair sort by the same method, as do ranges and batches. */
  @Test
  void onlyReadsOfThePlanAreSorted() throws UnknownHostException {
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    plan(true, 1, 2, 0);
    leftToStock(self, EndpointsForRange.copyOf(ring));
    leftToStock(InetAddressAndPort.getByName("127.0.0.9"), natural());
    leftToStock(self, EndpointsForToken.copyOf(new LongToken(8), ring));
    leftToStock(self, EndpointsForToken.copyOf(TOKEN, ring.subList(0, 2)));
    assertThat(engine.counters().get(Counter.SELECT_APPLIED)).isZero();
    assertThat(sorted(natural())).as("the plan is still there").startsWith(ring.get(1));
    plan.close();
    leftToStock(self, natural());
    plan(true, 1, 2, 0);
    Engine off = engine;
    engine = null;
    leftToStock(self, natural());
    assertThat(off.counters().get(Counter.FAULTS)).isZero();
  }

  /** At ONE only stock's order keeps a read in its datacenter. */
  @Test
  void theOtherDatacenterStaysBehindHoweverIdleItIs() {
    engine = TestEngines.of("strategy: { select: select.lor }", () -> 7);
    Request request = plan.request();
    request.begin(0, new SplittableRandom(1), 16);
    EndpointsForToken sorted = backwards(natural());
    int read = request.addRead(null, 7, 1);
    plan.token(read, TOKEN, sorted);
    for (int i = 0; i < 3; i++) {
      // The last in stock's order is in the other datacenter.
      request.addReplica(engine.nodes().id(sorted.get(i).endpoint()), i < 2 ? 0 : 1);
    }
    plan.stockFirst(request);
    for (int i = 0; i < 2; i++) {
      int node = engine.nodes().id(sorted.get(i).endpoint());
      for (int outstanding = 0; outstanding < 9 - i; outstanding++) {
        engine.sent(10 * i + outstanding, node, 1, 7, 100);
      }
    }
    engine.strategy().plan(request, engine.state());
    plan.open(1, true, false);
    assertThat(sorted(natural())).containsExactly(ring.get(1), ring.get(2), ring.get(0));
    assertThat(engine.counters().get(Counter.SELECT_APPLIED)).isEqualTo(1);
  }

  /**
   * They are served one after another on the request's thread, before the next keys are sent: 20
   * reads of 80 us would take 1.6 ms, and a hop 0.25 ms.
   */
  @Test
  void ofAWideMultigetOnlyAsManyReadsStayAtHomeAsFitIntoAHop() throws UnknownHostException {
    for (int request = 0; request < 2; request++) {
      assertThat(keptHome(true)).as("240 of 250 us").isEqualTo(3);
    }
    assertThat(engine.counters().get(Counter.READS_KEPT_HOME)).isEqualTo(6);
    assertThat(engine.counters().get(Counter.FAULTS)).isZero();
  }

  /** Stock sends its next key only after the last was answered, so no read delays another. */
  @Test
  void ofAMultigetThatStaysPagedAllReadsStayAtHome() throws UnknownHostException {
    assertThat(keptHome(false)).isEqualTo(20);
    assertThat(engine.counters().get(Counter.FAULTS)).isZero();
  }

  /** Number of the reads of 20 keys that stay at home, where a hop takes as long as three. */
  private int keptHome(boolean together) throws UnknownHostException {
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    Range<Token> all = ring.get(0).range();
    Replica home = Replica.fullReplica(self, all);
    // The stock snitch sorts the highest address first.
    Replica far = Replica.fullReplica(InetAddressAndPort.getByName("240.0.0.1"), all);
    ring.clear();
    ring.add(home);
    ring.add(far);
    int here = engine.nodes().id(self);
    int there = engine.nodes().id(far.endpoint());
    HopMeter hops = engine.hops();
    hops.answered(here, 80_000);
    hops.answered(there, 330_000);
    hops.roll();
    engine.home().tick(hops, 80_000, new double[16], here);
    plan.stayHome(true, together);
    int kept = 0;
    for (int key = 0; key < 20; key++) {
      Replica first = sorted(EndpointsForToken.copyOf(new LongToken(key), ring)).get(0);
      assertThat(first).isIn(home, far);
      kept += first.equals(home) ? 1 : 0;
    }
    plan.stayHome(false, false);
    return kept;
  }

  @Test
  void stockSortsReplicasOfAnotherRing() {
    plan(true, 1, 2, 0);
    EndpointsForToken fewer = EndpointsForToken.copyOf(TOKEN, ring.subList(0, 2));
    assertThat(sorted(fewer)).containsExactly(ring.get(1), ring.get(0));
    assertThat(sorts).isEqualTo(1);
    EndpointsForToken ofOther = EndpointsForToken.copyOf(new LongToken(8), ring);
    assertThat(sorted(ofOther)).containsExactly(ring.get(2), ring.get(1), ring.get(0));
    assertThat(sorts).isEqualTo(2);
    assertThat(engine.counters().get(Counter.FAULTS)).isZero();
  }
}
