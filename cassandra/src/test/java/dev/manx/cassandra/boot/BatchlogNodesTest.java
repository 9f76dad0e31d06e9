/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.Multimap;
import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.cassandra.config.Config.BatchlogEndpointStrategy;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.AbstractNetworkTopologySnitch;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.ReplicaPlans;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Behind Manx's snitch Cassandra chooses the nodes of the batchlog by the dynamic snitch's scores,
 * as without it.
 */
@Timeout(60)
class BatchlogNodesTest {
  private static final int DRAWS = 500;
  private static final String LOCAL_RACK = "rack0";

  private final Map<InetAddressAndPort, String> racks = new HashMap<>();
  private IEndpointSnitch before;
  private BatchlogEndpointStrategy strategyBefore;
  private double badnessBefore;
  private DynamicEndpointSnitch stock;
  private IEndpointSnitch manx;

  /** Returns the racks of the draw. */
  private final class Racks extends AbstractNetworkTopologySnitch {
    @Override
    public String getRack(InetAddressAndPort endpoint) {
      return racks.getOrDefault(endpoint, LOCAL_RACK);
    }

    @Override
    public String getDatacenter(InetAddressAndPort endpoint) {
      return "datacenter1";
    }
  }

  @BeforeEach
  void snitches() throws Exception {
    TestSchema.load();
    before = DatabaseDescriptor.getEndpointSnitch();
    strategyBefore = DatabaseDescriptor.getBatchlogEndpointStrategy();
    badnessBefore = DatabaseDescriptor.getDynamicBadnessThreshold();
    stock = new DynamicEndpointSnitch(new Racks());
    Engine acting =
        TestEngines.of("strategy: { select: select.random, order: order.bottleneck }", () -> 0);
    // Only on a node does a dynamic snitch start its timers, which Manx's ends at once.
    Field onNode = DatabaseDescriptor.class.getDeclaredField("daemonInitialized");
    onNode.setAccessible(true);
    onNode.set(null, true);
    try {
      manx = DynamicSnitch.inFrontOf(stock, () -> acting);
    } finally {
      onNode.set(null, false);
    }
  }

  @AfterEach
  void restore() {
    DatabaseDescriptor.setEndpointSnitch(before);
    DatabaseDescriptor.setBatchlogEndpointStrategy(strategyBefore);
    DatabaseDescriptor.setDynamicBadnessThreshold(badnessBefore);
  }

  @ParameterizedTest
  @EnumSource(
      value = BatchlogEndpointStrategy.class,
      names = {"dynamic", "dynamic_remote"})
  void theSameNodesAreChosenByTheirScoresAsWithoutManx(BatchlogEndpointStrategy strategy)
      throws Exception {
    DatabaseDescriptor.setBatchlogEndpointStrategy(strategy);
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    int others = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      Multimap<String, InetAddressAndPort> nodes = draw(random);
      boolean always = random.nextBoolean();
      DatabaseDescriptor.setDynamicBadnessThreshold(always ? 0 : badnessBefore);
      ((DynamicEndpointSnitch) manx).applyConfigChanges();
      Map<InetAddressAndPort, Double> scores = scores(random, nodes.values());
      List<InetAddressAndPort> chosen = chosen(stock, nodes);
      assertThat(chosen(manx, nodes)).as("seed %d, draw %d", seed, draw).isEqualTo(chosen);
      assertThat(chosen).hasSize(2);
      if (always) {
        assertThat(chosen.get(0))
            .as("the fastest, seed %d, draw %d", seed, draw)
            .isEqualTo(fastest(strategy, nodes, scores));
      }
      scores(random, nodes.values());
      others += chosen(manx, nodes).equals(chosen) ? 0 : 1;
    }
    // Other scores often give other nodes.
    assertThat(others).isGreaterThan(DRAWS / 4);
  }

  /** Four to nine nodes in three racks, at least three of them outside of the local one. */
  private Multimap<String, InetAddressAndPort> draw(SplittableRandom random) throws Exception {
    racks.clear();
    Multimap<String, InetAddressAndPort> nodes = LinkedHashMultimap.create();
    int count = 4 + random.nextInt(6);
    for (int node = 1; node <= count; node++) {
      InetAddressAndPort endpoint = InetAddressAndPort.getByName("127.0.1." + node);
      String rack = "rack" + (node <= 3 ? 1 + node % 2 : random.nextInt(3));
      racks.put(endpoint, rack);
      nodes.put(rack, endpoint);
    }
    return nodes;
  }

  /** Gives each node a different score, as its timer would from measured latencies. */
  private Map<InetAddressAndPort, Double> scores(
      SplittableRandom random, Collection<InetAddressAndPort> nodes) throws Exception {
    Map<InetAddressAndPort, Double> scores = new HashMap<>();
    nodes.forEach(node -> scores.put(node, random.nextDouble()));
    Field field = DynamicEndpointSnitch.class.getDeclaredField("scores");
    field.setAccessible(true);
    field.set(stock, scores);
    return scores;
  }

  private static List<InetAddressAndPort> chosen(
      IEndpointSnitch snitch, Multimap<String, InetAddressAndPort> nodes) {
    DatabaseDescriptor.setEndpointSnitch(snitch);
    // Otherwise Cassandra would choose at random.
    assertThat(DatabaseDescriptor.isDynamicEndpointSnitch()).isTrue();
    return new ArrayList<>(
        ReplicaPlans.filterBatchlogEndpointsDynamic(false, LOCAL_RACK, nodes, node -> true));
  }

  private static InetAddressAndPort fastest(
      BatchlogEndpointStrategy strategy,
      Multimap<String, InetAddressAndPort> nodes,
      Map<InetAddressAndPort, Double> scores) {
    return nodes.entries().stream()
        .filter(node -> strategy.preferLocalRack || !node.getKey().equals(LOCAL_RACK))
        .map(Map.Entry::getValue)
        .min(Comparator.comparing(scores::get))
        .orElseThrow();
  }
}
