/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the files of a node say. */
@Timeout(60)
class NodeFilesTest {
  /** No process has this id. */
  private static final String ENDED = "999999999";

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

  /** The JVM says in its output that the heap was full, and the log knows nothing of it. */
  @Test
  void theTailIsOfTheLogAndOfTheOutput() throws Exception {
    Node node = new Node(1, 1, folder);
    assertThat(NodeFiles.tail(node, 2)).isEqualTo("no log was written below " + folder);
    Files.createDirectories(node.systemLog().getParent());
    Files.writeString(node.output(), "Terminating due to java.lang.OutOfMemoryError\n");
    assertThat(NodeFiles.tail(node, 2))
        .isEqualTo(node.output() + ":\n  Terminating due to java.lang.OutOfMemoryError");
    Files.writeString(node.systemLog(), "one\ntwo\nthree\n");
    assertThat(NodeFiles.tail(node, 2))
        .isEqualTo(
            node.systemLog()
                + ":\n  two\n  three\n"
                + node.output()
                + ":\n  Terminating due to java.lang.OutOfMemoryError");
  }

  @Test
  void aFolderOfAnEndedJvmIsRemoved() throws Exception {
    Path used = owned("nodes-1", ".owner", null);
    Path left = owned("nodes-2", ".owner", ENDED);
    Path earlier = owned("nodes-3", "owner", ENDED);
    Path begun = Files.createDirectory(folder.resolve("nodes-4"));
    Path ofAnotherContainer = owned("nodes-5", ".owner", ENDED + " pid:[1]");
    NodeFiles.removeLeftovers(folder);
    assertThat(used).exists();
    assertThat(begun).exists();
    assertThat(ofAnotherContainer).exists();
    assertThat(left).doesNotExist();
    assertThat(earlier).doesNotExist();
    String[] owner = Files.readString(used.resolve(".owner")).split(" ", -1);
    assertThat(owner).hasSize(2);
    Files.writeString(used.resolve(".owner"), ENDED + " " + owner[1]);
    NodeFiles.removeLeftovers(folder);
    assertThat(used).doesNotExist();
  }

  /** A temporary folder, of this JVM unless its owner is given. */
  private Path owned(String name, String file, String owner) throws Exception {
    Path made = Files.createDirectory(folder.resolve(name));
    if (owner == null) {
      NodeFiles.own(made);
    } else {
      Files.writeString(made.resolve(file), owner);
    }
    return made;
  }

  /** Its folder would be kept for ever if the removal is interrupted. */
  @Test
  void theOwnerIsRemovedLast() throws Exception {
    NodeFiles.own(folder);
    NodeFiles.write(ClusterSettings.defaults(), new Node(1, 1, folder.resolve("node1")));
    assertThat(NodeFiles.inOrderOfDeletion(folder))
        .endsWith(folder.resolve("node1"), folder.resolve(".owner"), folder)
        .containsSubsequence(
            folder.resolve("node1/cassandra.yaml"), folder.resolve("node1/.manx-node"));
  }

  @Test
  void aNodesJavaIsKnownByItsVersion() throws Exception {
    assertThat(NodeJava.version(folder)).isEqualTo(folder.toString());
    Files.writeString(
        folder.resolve("release"),
        "IMPLEMENTOR=\"Debian\"\nJAVA_RUNTIME_VERSION=\"17.0.15+6\"\nOS_ARCH=\"x86_64\"\n");
    assertThat(NodeJava.version(folder)).isEqualTo("Debian 17.0.15+6");
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
