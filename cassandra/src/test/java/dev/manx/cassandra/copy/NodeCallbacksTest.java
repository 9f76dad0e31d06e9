/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestSchema;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodeCallbacksTest {
  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  /** A peer may name any address as the coordinator of a copy, or as the peer of a read. */
  @Test
  void aNodeUnknownToGossipIsNotAliveAndLogsNothing() throws Exception {
    InetAddressAndPort unknown = InetAddressAndPort.getByName("127.0.0.99");
    NodeCallbacks callbacks = new NodeCallbacks();
    callbacks.isAlive(unknown);
    // The tests' logger writes there.
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      assertThat(callbacks.isAlive(unknown)).isFalse();
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("127.0.0.99");
  }
}
