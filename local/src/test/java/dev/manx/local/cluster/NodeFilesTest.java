/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a node's log says of Manx. */
@Timeout(60)
class NodeFilesTest {
  @TempDir Path folder;

  /** Such a node has no table to ask, and the cluster must not wait for one. */
  @Test
  void aNodeThatManxLeavesToStockIsKnownByItsLog() throws Exception {
    Node node = new Node(1, 1, folder);
    assertThat(NodeFiles.stepsAside(node, 0)).as("no log yet").isFalse();
    Files.createDirectories(node.systemLog().getParent());
    Files.writeString(node.systemLog(), "INFO  [main] Manx 0.1.0 is in mode on\n");
    assertThat(NodeFiles.stepsAside(node, 0)).isFalse();
    Files.writeString(
        node.systemLog(),
        "INFO  [main] caf\u00e9\nERROR [main] Manx steps aside: a class has changed\n");
    assertThat(NodeFiles.stepsAside(node, 0)).isTrue();
  }

  /** A restarted node keeps its log, and may have another version of Manx or of Cassandra. */
  @Test
  void whatManxSaidInAnEarlierBootDoesNotCount() throws Exception {
    Node node = new Node(1, 1, folder);
    assertThat(NodeFiles.logBytes(node)).as("no log yet").isZero();
    Files.createDirectories(node.systemLog().getParent());
    String aside = "ERROR [main] Manx steps aside: a class has changed\n";
    Files.writeString(node.systemLog(), "INFO  [main] caf\u00e9\n" + aside);
    long earlier = NodeFiles.logBytes(node);
    assertThat(NodeFiles.stepsAside(node, earlier)).isFalse();
    Files.writeString(node.systemLog(), "INFO  [main] Hello\n", StandardOpenOption.APPEND);
    assertThat(NodeFiles.stepsAside(node, earlier)).isFalse();
    Files.writeString(node.systemLog(), aside, StandardOpenOption.APPEND);
    assertThat(NodeFiles.stepsAside(node, earlier)).isTrue();
    Files.writeString(node.systemLog(), aside);
    assertThat(NodeFiles.stepsAside(node, earlier)).as("a log begun anew").isTrue();
  }
}
