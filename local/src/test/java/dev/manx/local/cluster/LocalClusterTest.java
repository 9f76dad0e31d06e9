/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The folder of {@code cluster up}; without nodes. */
@Timeout(60)
class LocalClusterTest {
  @TempDir Path folder;

  private Path file(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "precious");
  }

  /** Nodes too large to start on any machine. */
  private void up() {
    ClusterSettings like = ClusterSettings.defaults();
    ClusterSettings large =
        new ClusterSettings(
            like.nodes(),
            like.firstHost(),
            like.concurrentReads(),
            1L << 50,
            like.tokens(),
            like.readTimeoutNanos(),
            like.jit(),
            like.dataBytes(),
            null,
            false,
            Map.of(),
            List.of());
    LocalCluster.up(large, ManxHome.find(), folder, line -> {});
  }

  /** ccm, for example, keeps the nodes of its clusters in folders of the same names. */
  @Test
  void foldersOfAnotherProgramAreNotDeleted() throws Exception {
    Path foreign = file("node2/conf/cassandra.yaml");
    assertThatThrownBy(this::up)
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining(folder.resolve("node2") + " exists and is not the folder of a Manx")
        .hasMessageContaining("--dir");
    assertThat(foreign).hasContent("precious");
  }

  /** Also one with its configuration next to its data, as of an earlier cluster of Manx. */
  @Test
  void nodesOfAnotherProgramAreNotDeleted() throws Exception {
    Path yaml = file("node2/cassandra.yaml");
    file("node4/cassandra.yaml");
    Path data = file("node4/data/table");
    assertThatThrownBy(this::up)
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining(folder.resolve("node2") + " exists and is not the folder of a Manx");
    assertThat(yaml).hasContent("precious");
    LocalCluster.forgetMore(folder, 3);
    assertThat(data).hasContent("precious");
  }

  /** Such a folder has no marker, and perhaps only its first file. */
  @Test
  void aNodeOfAnEarlierVersionIsOurs() throws Exception {
    Node node = new Node(1, 1, folder.resolve("node1"));
    ClusterSettings settings = ClusterSettings.defaults();
    NodeFiles.write(settings, node);
    Files.delete(node.folder().resolve(".manx-node"));
    assertThat(NodeFiles.isOurs(node.folder())).isTrue();
    String yaml = Files.readString(node.folder().resolve("cassandra.yaml"));
    file("node1/cassandra.yaml");
    assertThat(NodeFiles.isOurs(node.folder())).as("by its logback.xml").isTrue();
    Files.delete(node.folder().resolve("logback.xml"));
    assertThat(NodeFiles.isOurs(node.folder())).isFalse();
    Files.writeString(node.folder().resolve("cassandra.yaml"), yaml);
    assertThat(NodeFiles.isOurs(node.folder())).as("by the name of its cluster").isTrue();
    assertThat(NodeFiles.isOurs(node.folder().resolve("logs"))).as("empty").isTrue();
  }

  @Test
  void aFileInTheWayIsNotDeleted() throws Exception {
    Path foreign = file("node1");
    assertThatThrownBy(this::up)
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("is not the folder of a Manx node");
    assertThat(foreign).hasContent("precious");
  }

  @Test
  void aSmallerClusterForgetsTheRestOfALargerOne() throws Exception {
    for (int index = 1; index <= 5; index++) {
      Node node = new Node(index, index, folder.resolve("node" + index));
      NodeFiles.write(ClusterSettings.defaults(), node);
      assertThat(NodeFiles.isOurs(node.folder())).isTrue();
    }
    Path foreign = file("node6/data");
    LocalCluster.forgetMore(folder, 3);
    assertThat(LocalCluster.status(folder))
        .extracting(status -> status.node().name())
        .containsExactly("node1", "node2", "node3", "node6");
    assertThat(foreign).hasContent("precious");
  }
}
