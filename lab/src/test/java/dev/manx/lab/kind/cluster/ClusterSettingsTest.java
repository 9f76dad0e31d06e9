/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static dev.manx.lab.kind.cluster.TinyExperiment.TEXT;
import static dev.manx.lab.kind.cluster.TinyExperiment.parse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.manx.local.cluster.StorageLimits;
import dev.manx.policy.config.ConfigException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The nodes of an experiment: their addresses, speed and storage. */
class ClusterSettingsTest {
  private static final String STORED =
      TEXT.replace(
              "service-model: { base: 5ms, per-kib: 300us }",
              "storage: { page-cache: 64MiB, reads-per-second: 250, cores: 0.5 }")
          .replace("70%, 120/s", "64 clients");

  @Test
  void nodesMayBeInDatacentersAndRacks() {
    ClusterExperiment experiment =
        parse(
            TEXT,
            Map.of(
                "cluster.nodes", "8",
                "cluster.datacenters", "2",
                "cluster.racks", "2",
                "client", "{ consistency: local_quorum }"));
    assertThat(experiment.cluster().snitch()).isEqualTo("GossipingPropertyFileSnitch");
    assertThat(experiment.replicationFactor()).isEqualTo(3);
    assertThat(experiment.cluster().topology().replication(3))
        .isEqualTo("{'class': 'NetworkTopologyStrategy', 'datacenter1': 3, 'datacenter2': 3}");
    assertThat(experiment.servingNodes()).containsExactly(1, 3, 5, 7);
    assertThat(experiment.replicasPerRead()).isEqualTo(2);
    // Every key is held twice where 8 nodes hold 2 * 3 copies.
    assertThat(experiment.cluster().dataBytes())
        .isEqualTo(experiment.workload().keySpace().totalBytes() * 6 / 8);
    assertThat(parse(experiment.text(), Map.of())).isEqualTo(experiment);
    ClusterExperiment quorum =
        parse(
            TEXT,
            Map.of(
                "cluster.nodes", "6",
                "cluster.datacenters", "2",
                "client", "{ consistency: quorum }"));
    assertThat(quorum.servingNodes()).hasSize(6);
    assertThat(quorum.replicasPerRead()).as("a majority of six").isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          concurrent-reads: 2 | datacenters: 4                                          | cluster.datacenters = '4'
          concurrent-reads: 2 | {datacenters: 2, racks: 2}                              | cluster.racks = '2'
          concurrent-reads: 2 | {datacenters: 2, replication-factor: 2}                 | cluster.replication-factor = '2'
          concurrent-reads: 2 | {racks: 3, cassandra-yaml: {endpoint_snitch: SimpleSnitch}} | a snitch that knows datacenters
          """)
  void refusesImpossibleDatacenters(String good, String bad, String message) {
    String lines =
        bad.startsWith("{")
            ? bad.substring(1, bad.lastIndexOf('}')).replaceFirst(", ", "\n  ")
            : bad;
    assertThatThrownBy(() -> parse(TEXT.replace(good, lines), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  /** Each row takes some of the heap, however small its value. */
  @Test
  void dataThatDoesNotStayInMemtablesIsRefused() {
    Map<String, String> many = new TreeMap<>(Map.of("workload.keys", "200000"));
    assertThatThrownBy(() -> parse(TEXT, many))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("workload.keys = '200000'")
        .hasMessageContaining("at most 85217 with a heap of 512MiB")
        .hasMessageContaining("cluster.heap");
    assertThat(parse(STORED, many).cluster().dataNodes()).as("in files").isEqualTo(3);
    many.put("cluster.replication-factor", "1");
    assertThat(parse(TEXT, many).replicationFactor()).isEqualTo(1);
    many.put("cluster.replication-factor", "3");
    many.put("cluster.heap", "2GiB");
    assertThat(parse(TEXT, many).cluster().heapBytes()).isEqualTo(2L << 30);
  }

  @Test
  void dataMayBeInFilesBehindASmallPageCacheAndASlowDisk() {
    ClusterExperiment experiment =
        parse(STORED, Map.of("cluster.nodes", "4", "cluster.coordinators-only", "1"));
    assertThat(experiment.cluster().storage()).isEqualTo(new StorageLimits(64 << 20, 250, 0.5));
    assertThat(experiment.cluster().dataNodes()).isEqualTo(3);
    assertThat(experiment.cluster().isCoordinatorOnly(3)).isFalse();
    assertThat(experiment.cluster().isCoordinatorOnly(4)).isTrue();
    assertThat(experiment.cluster().isCoordinatorOnly(5)).as("one that joins later").isFalse();
    assertThat(experiment.servingNodes()).containsExactly(1, 2, 3);
    assertThat(experiment.client().coordinators()).isEqualTo("round-robin");
    assertThat(experiment.cluster().dataBytes())
        .as("all keys at each of three nodes")
        .isEqualTo(experiment.workload().keySpace().totalBytes());
    ClusterExperiment again = parse(experiment.text(), Map.of());
    assertThat(again.cluster()).isEqualTo(experiment.cluster());
    assertThat(again.client()).isEqualTo(experiment.client());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          page-cache: 64MiB     | page-cache: 1MiB            | tiny.yaml:6: storage.page-cache = '1MiB' is invalid; allowed: a size
          reads-per-second: 250 | reads-per-second: 1         | tiny.yaml:6: storage.reads-per-second = '1'
          cores: 0.5            | cores: 0                    | tiny.yaml:6: storage.cores = '0'
          cores: 0.5            | core: 1                     | tiny.yaml:6: storage.core: unknown key; valid keys:
          nodes: 3              | nodes: 3, coordinators-only | tiny.yaml:4: cluster.nodes
          loads:                | service-model: {base: 1ms}@loads: | tiny.yaml:6: storage
          """)
  void refusesImpossibleStorage(String good, String bad, String message) {
    assertThat(STORED).contains(good);
    assertThatThrownBy(() -> parse(STORED.replace(good, bad.replace('@', '\n')), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cluster.coordinators-only | 3                                              | cluster.coordinators-only = '3'
          client.coordinators       | driver-default                                 | client.coordinators = 'driver-default'
          arms.stock.driver         | { slow-avoidance: on }                         | arms.stock.driver
          events                    | '[{ at: 1s, for: 1s, restart: { node: 1 } }]'  | events
          cluster.datacenters       | 2                                              | cluster.coordinators-only = '1'
          """)
  void refusesImpossibleCoordinators(String key, String value, String message) {
    Map<String, String> overrides = new TreeMap<>(Map.of("cluster.coordinators-only", "1"));
    overrides.put(key, value);
    assertThatThrownBy(() -> parse(STORED, overrides))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void nodesMayBeUnequal() {
    String text =
        TEXT.replace(
            "per-kib: 300us }",
            "per-kib: 300us, nodes: { node2: { times: 2 }, node3: { pause: 100ms, every: 1s } } }");
    ClusterExperiment experiment = parse(text, Map.of());
    assertThat(experiment.unequalNodes())
        .isEqualTo("node2 takes 2.0 times as long; node3 stalls for 100ms of every 1s");
    // 1 + 1/2 + 9/10 nodes
    assertThat(experiment.cluster().model().speeds(IntStream.rangeClosed(1, 3)))
        .isCloseTo(2.4, within(1e-9));
    assertThat(parse(experiment.text(), Map.of())).isEqualTo(experiment);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          { node4: { times: 2 } }                    | service-model.nodes.node4
          { node2: {} }                              | service-model.nodes.node2 = '{}' is invalid; allowed: times, or
          { node2: { times: 0 } }                    | service-model.nodes.node2.times = '0'
          { node2: { pause: 1s } }                   | service-model.nodes.node2.every is missing
          { node2: { pause: 1s, every: 1s } }        | service-model.nodes.node2.every = '1s'
          """)
  void refusesUnequalNodes(String nodes, String message) {
    String text = TEXT.replace("per-kib: 300us }", "per-kib: 300us, nodes: " + nodes + " }");
    assertThatThrownBy(() -> parse(text, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }
}
