/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class NodesTest {
  private final Nodes nodes = new Nodes(2);

  @Test
  void idsAreSmallAndStable() throws UnknownHostException {
    assertThat(nodes.id(node(1))).isZero();
    assertThat(nodes.id(node(2))).isEqualTo(1);
    assertThat(nodes.id(node(1))).isZero();
    assertThat(nodes.used()).isEqualTo(2);
  }

  @Test
  void aFullRegistryAnswersNoneUntilANodeLeaves() throws UnknownHostException {
    nodes.id(node(1));
    nodes.id(node(2));
    assertThat(nodes.id(node(3))).isEqualTo(Nodes.NONE);
    assertThat(nodes.release(node(1))).isZero();
    assertThat(nodes.release(node(1))).isEqualTo(Nodes.NONE);
    assertThat(nodes.id(node(3))).isZero();
    assertThat(nodes.all()).hasSize(2);
  }

  /** Each message of a node beyond the bound needs an id, on the thread of all messages. */
  @Test
  @Timeout(60)
  void aNodeBeyondTheBoundWaitsForNoOther() throws Exception {
    nodes.id(node(1));
    nodes.id(node(2));
    InetAddressAndPort third = node(3);
    CompletableFuture<Integer> asked;
    synchronized (nodes) {
      asked = CompletableFuture.supplyAsync(() -> nodes.id(third));
      assertThat(asked.get(30, TimeUnit.SECONDS)).isEqualTo(Nodes.NONE);
    }
    nodes.release(node(2));
    assertThat(nodes.id(third)).isEqualTo(1);
    assertThat(nodes.id(node(2))).isEqualTo(Nodes.NONE);
  }

  private static InetAddressAndPort node(int last) throws UnknownHostException {
    return InetAddressAndPort.getByAddressOverrideDefaults(
        InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last}), 7000);
  }
}
