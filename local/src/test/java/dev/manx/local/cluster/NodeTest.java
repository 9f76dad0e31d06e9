/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeTest {
  @Test
  void tokensGiveEachNodeTheSameShareOfTheRing() {
    for (int nodes : new int[] {1, 2, 3, 9}) {
      TreeMap<Long, Integer> ring = new TreeMap<>();
      for (int index = 1; index <= nodes; index++) {
        for (String token :
            new Node(index, index, Path.of("x")).initialTokens(16, nodes).split(",", -1)) {
          ring.put(Long.parseLong(token), index);
        }
      }
      assertThat(ring).hasSize(16 * nodes);
      BigInteger[] owned = new BigInteger[nodes + 1];
      BigInteger before = BigInteger.valueOf(ring.lastKey()).subtract(BigInteger.TWO.pow(64));
      for (Map.Entry<Long, Integer> token : ring.entrySet()) {
        BigInteger here = BigInteger.valueOf(token.getKey());
        BigInteger sum =
            owned[token.getValue()] == null ? BigInteger.ZERO : owned[token.getValue()];
        owned[token.getValue()] = sum.add(here.subtract(before));
        before = here;
      }
      for (int index = 1; index <= nodes; index++) {
        assertThat(owned[index].doubleValue() / Math.pow(2, 64))
            .isCloseTo(1.0 / nodes, org.assertj.core.data.Offset.offset(1e-9));
      }
    }
  }

  @Test
  void cassandraYamlHasTheModelAndTheUsersLinesLast() {
    ClusterSettings like = ClusterSettings.defaults();
    ClusterSettings settings =
        new ClusterSettings(
            3,
            1,
            2,
            like.heapBytes(),
            16,
            like.readTimeoutNanos(),
            "c2",
            100L << 20,
            new ClusterSettings.ServiceModel(5_000_000, 300_000),
            true,
            Map.of("endpoint_snitch", "GossipingPropertyFileSnitch"),
            List.of());
    String yaml = CassandraYaml.of(settings, new Node(2, 2, Path.of("/x/node2")));
    assertThat(yaml)
        .contains("listen_address: 127.0.0.2\n")
        .contains("concurrent_reads: 2\n")
        .contains("memtable_offheap_space: 600MiB\n")
        .contains("parameters: {base: 5000000ns, per-kib: 300000ns}")
        .contains("endpoint_snitch: GossipingPropertyFileSnitch\n")
        .doesNotContain("SimpleSnitch");
    assertThat(settings.snitch()).isEqualTo("GossipingPropertyFileSnitch");
    assertThat(CassandraYaml.of(ClusterSettings.defaults(), new Node(2, 2, Path.of("/x/node2"))))
        .as("as Cassandra ships it")
        .contains("endpoint_snitch: SimpleSnitch\n");
  }

  @Test
  void aCoordinatorWithoutDataOwnsNoPartOfTheRing(@TempDir Path root) throws Exception {
    // Build products of a module that this one does not depend on.
    Files.writeString(root.resolve("pom.xml"), "<version>0.1.1</version><version>2.0</version>");
    ManxHome home = new ManxHome(root, List.of());
    assertThat(home.pluginJar())
        .isEqualTo(root.resolve("cassandra/target/manx-cassandra-0.1.1.jar"));
    assertThat(home.labJar())
        .isEqualTo(root.resolve("cassandra/target/manx-cassandra-0.1.1-lab.jar"));
    Files.createDirectories(home.pluginJar().getParent());
    Files.createFile(home.pluginJar());
    Files.writeString(
        root.resolve("cassandra/target/node.classpath"), "lib/jamm-0.4.0.jar:/m2/a.jar");
    ClusterSettings like = ClusterSettings.defaults();
    ClusterSettings settings =
        new ClusterSettings(
            4,
            1,
            16,
            like.heapBytes(),
            1,
            like.readTimeoutNanos(),
            "c2",
            100L << 20,
            null,
            true,
            Map.of(),
            List.of(),
            Topology.ONE,
            new StorageLimits(64 << 20, 250, 0),
            1);
    Node last = new Node(4, 4, Path.of("/x/node4"));
    for (Node node : List.of(new Node(1, 1, Path.of("/x/node1")), last)) {
      assertThat(NodeCommand.of(settings, node, home, Path.of("/x")))
          .contains(
              String.join(
                  ":", root + "/lib/jamm-0.4.0.jar", "/m2/a.jar", home.pluginJar().toString()))
          .as("gossip does not forget it within seconds, on %s", node.name())
          .contains("-Dcassandra.ring_delay_ms=10000")
          .as("it leaves no files elsewhere")
          .contains("-Djava.io.tmpdir=" + node.folder() + "/tmp")
          .as("the memtables' 600 MiB, and 256 MiB")
          .contains("-XX:MaxDirectMemorySize=" + (856L << 20));
    }
    assertThat(NodeCommand.of(settings, last, home, Path.of("/x")))
        .contains("-Dcassandra.join_ring=false");
    assertThat(CassandraYaml.of(settings, last)).doesNotContain("initial_token");
    String third = CassandraYaml.of(settings, new Node(3, 3, Path.of("/x/node3")));
    assertThat(third)
        .contains("disk_access_mode: standard\n")
        .contains("file_cache_enabled: false\n")
        .contains(
            "initial_token: \"" + new Node(3, 3, Path.of("/x/node3")).initialTokens(1, 3) + "\"\n");
  }

  @Test
  void aNodeHasItsTemporaryFolder(@TempDir Path root) throws Exception {
    NodeFiles.write(ClusterSettings.defaults(), new Node(1, 1, root.resolve("node1")));
    assertThat(root.resolve("node1/tmp")).isDirectory();
  }

  @Test
  void modelledServiceGrowsWithTheValue() {
    // 5 ms + 64 * 300 us
    assertThat(new ClusterSettings.ServiceModel(5_000_000, 300_000).serviceNanos(64 << 10))
        .isEqualTo(24_200_000);
  }
}
