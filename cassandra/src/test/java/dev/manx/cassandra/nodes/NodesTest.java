/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.strategy.Strategy;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.SplittableRandom;
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

  /** Ids are assigned as a coordinator meets the others, itself first. */
  @Test
  void everyCoordinatorHasTheSameHomeForAKey() throws UnknownHostException {
    Nodes first = met(1, 2, 3);
    Nodes second = met(3, 1, 2);
    int[] homes = new int[4];
    for (long key = 0; key < 1_000; key++) {
      InetAddressAndPort home = home(first, key, 1, 2, 3);
      assertThat(home(second, key, 2, 3, 1)).as("key %d", key).isEqualTo(home);
      homes[home.getAddress().getAddress()[3]]++;
    }
    for (int last = 1; last <= 3; last++) {
      assertThat(homes[last]).as("of node %d", last).isBetween(280, 387);
    }
  }

  @Test
  void theNextOwnerOfAnIdHasItsOwnIdentity() throws UnknownHostException {
    nodes.id(node(1));
    nodes.id(node(2));
    long left = nodes.identity(1);
    nodes.release(node(2));
    assertThat(nodes.id(node(3))).isEqualTo(1);
    assertThat(nodes.identity(1)).isNotEqualTo(left);
    InetAddressAndPort otherPort =
        InetAddressAndPort.getByAddressOverrideDefaults(node(1).getAddress(), 7001);
    nodes.release(node(3));
    nodes.id(otherPort);
    assertThat(nodes.identity(1)).isNotEqualTo(nodes.identity(0));
  }

  private static Nodes met(int... lasts) throws UnknownHostException {
    Nodes met = new Nodes(8);
    for (int last : lasts) {
      met.id(node(last));
    }
    return met;
  }

  private static InetAddressAndPort home(Nodes nodes, long key, int... stock)
      throws UnknownHostException {
    Strategy strategy =
        Strategy.parse(
            "test", "strategy: { select: { policy: select.primary, home: key-hash } }", () -> 0);
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), nodes.capacity());
    request.addRead(null, key, 1);
    for (int last : stock) {
      request.addReplica(nodes.id(node(last)), 0);
    }
    strategy.plan(request, new ClusterState(nodes.capacity(), 1, nodes::identity));
    int home = request.replica(0, 0);
    return nodes.all().entrySet().stream()
        .filter(entry -> entry.getValue() == home)
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  private static InetAddressAndPort node(int last) throws UnknownHostException {
    return InetAddressAndPort.getByAddressOverrideDefaults(
        InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last}), 7000);
  }
}
