/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
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
    assertThat(NodeFiles.stepsAside(node)).as("no log yet").isFalse();
    Files.createDirectories(node.systemLog().getParent());
    Files.writeString(node.systemLog(), "INFO  [main] Manx 0.1.0 is in mode on\n");
    assertThat(NodeFiles.stepsAside(node)).isFalse();
    Files.writeString(
        node.systemLog(),
        "INFO  [main] caf\u00e9\nERROR [main] Manx steps aside: a class has changed\n");
    assertThat(NodeFiles.stepsAside(node)).isTrue();
  }
}
