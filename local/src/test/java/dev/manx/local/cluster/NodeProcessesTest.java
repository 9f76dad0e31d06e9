/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that sleep stand for nodes. */
@Timeout(60)
class NodeProcessesTest {
  private final NodeProcesses processes = new NodeProcesses(true);

  @TempDir Path folder;

  @AfterEach
  void end() {
    processes.stop(0);
  }

  private Node node(int index) throws IOException {
    Node node = new Node(index, index, folder.resolve("node" + index));
    Files.createDirectories(node.folder().resolve("logs"));
    return node;
  }

  private void launch(Node... nodes) {
    for (Node node : nodes) {
      processes.launch(node, List.of("sleep", "300"));
    }
  }

  /** Two faults may overlap: the restart of one node must not fail since another is down. */
  @Test
  void aNodeThatWasMeantToEndIsNotDead() throws Exception {
    Node first = node(1);
    launch(first, node(2), node(3));
    processes.kill(0);
    processes.kill(1);
    processes.end(2, 5);
    assertThatCode(processes::checkAlive).doesNotThrowAnyException();
    launch(first);
    processes.await(first, "to serve", () -> true);
    ProcessHandle.of(processes.pids()[0]).orElseThrow().destroyForcibly();
    assertThatThrownBy(() -> processes.await(first, "to serve", () -> false))
        .as("relaunched, and then ended by itself")
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining(
            "node1 has ended with code 137 (killed, for example by the kernel for lack of memory)");
  }

  @Test
  void theLogIsThatOfTheNodeThatDoesNotServe() throws Exception {
    Node second = node(2);
    launch(node(1), second);
    Files.writeString(second.systemLog(), "no seed answers\n");
    assertThatThrownBy(() -> processes.await(second, "to serve", () -> false, 0))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("waiting for node2 to serve after 0 s")
        .hasMessageContaining("no seed answers");
  }
}
