/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.management.MBeanServerConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * A node with the plugin in mode off allocates as much for a request as a node without Manx. Two
 * nodes of the same software differ too much in their CPU to compare that.
 */
@OwnNodes
@Timeout(300)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full boots nodes of its own without the plugin")
class AbsentEndToEndTest {
  private static final int KEYS = 40;
  private static final int READS = 9;
  private static final int REQUESTS = 400;
  private static final int ROUNDS = 7;

  @Test
  void aNodeInModeOffAllocatesAsMuchAsOneWithoutTheJar() throws Exception {
    double absent = bytesPerRequest(false);
    double off = bytesPerRequest(true);
    System.out.printf(
        "bytes allocated per request of %d reads: without the jar %.0f, in mode off %.0f%n",
        READS, absent, off);
    assertThat(off / absent)
        .as("%.0f bytes in mode off, %.0f without", off, absent)
        .isLessThan(1.02);
  }

  private static double bytesPerRequest(boolean plugin) throws Exception {
    try (OneNode node = OneNode.boot(plugin, List.of(), Map.of(), List.of());
        CqlSession session = OneNode.session(null, null)) {
      if (plugin) {
        assertThat(OneNode.table(session, "strategy")).containsEntry("mode", "off");
      }
      session.execute(
          "CREATE KEYSPACE bytes WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE bytes.t (k int PRIMARY KEY, v blob)");
      PreparedStatement insert = session.prepare("INSERT INTO bytes.t (k, v) VALUES (?, ?)");
      for (int key = 0; key < KEYS; key++) {
        session.execute(insert.bind(key, ByteBuffer.allocate(1_000)));
      }
      PreparedStatement multiget = session.prepare("SELECT * FROM bytes.t WHERE k IN ?");
      double[] found = new double[ROUNDS];
      // The first turn is not counted: classes are loaded in it.
      for (int round = -1; round < ROUNDS; round++) {
        long before = node.jmx(AbsentEndToEndTest::allocated);
        for (int i = 0; i < REQUESTS; i++) {
          List<Integer> keys = IntStream.range(i, i + READS).map(k -> k % KEYS).boxed().toList();
          assertThat(session.execute(multiget.bind(keys))).hasSize(READS);
        }
        if (round >= 0) {
          found[round] = (node.jmx(AbsentEndToEndTest::allocated) - before) / (double) REQUESTS;
        }
      }
      Arrays.sort(found);
      return found[ROUNDS / 2];
    }
  }

  private static long allocated(MBeanServerConnection server) throws Exception {
    ThreadMXBean threads =
        ManagementFactory.newPlatformMXBeanProxy(
            server, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
    return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
        .filter(bytes -> bytes > 0)
        .sum();
  }
}
