/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that are cut off, paused or gone, and return. */
@Timeout(60)
class SilentServersTest extends TwoServers {
  /** A receiver that is cut off empties its backends at once, repeatedly, and when it is back. */
  @Test
  void aServerThatIsCutOffForgetsEveryFewSeconds() {
    two.line.hears = false;
    beats(4);
    assertThat(two.heard).isEmpty();
    beats(2);
    assertThat(two.heard).contains("*");
    assertThat(two.peers.stats().connected()).isFalse();
    int before = two.heard.size();
    one.announce("a");
    beats(20);
    assertThat(two.heard.size() - before).isBetween(3, 5);
    two.line.hears = true;
    before = two.heard.size();
    beats(1);
    assertThat(two.heard.size()).isGreaterThan(before);
    assertThat(two.peers.stats().connected()).isTrue();
    assertThat(two.peers.stats().breaks()).isEqualTo(1);
    before = two.heard.size();
    beats(20);
    assertThat(two.heard).hasSize(before);
  }

  @Test
  void aServerThatFallsSilentIsForgottenOnceAndOneThatSaysFarewellCostsNothing() {
    one.line.sends = false;
    beats(20);
    assertThat(Collections.frequency(two.heard, "*")).isEqualTo(1);
    assertThat(two.peers.stats().peers()).isZero();
    Server three = new Server(3);
    three.peers.start();
    three.announce("a");
    three.peers.close();
    assertThat(three.line.closed).isTrue();
    beats(20);
    assertThat(two.heard).containsExactly("*", "a");
  }

  /** Otherwise the backends would receive the misses of all servers at once. */
  @Test
  void serversForgetASilentOneOneAfterTheOther() {
    List<Server> others = IntStream.range(10, 40).mapToObj(Server::new).toList();
    others.forEach(server -> server.peers.start());
    for (int i = 0; i < 2; i++) {
      one.peers.beat();
      others.forEach(server -> server.peers.beat());
    }
    others.forEach(server -> server.heard.clear());
    int most = 0;
    int before = 0;
    for (int second = 0; second < 16; second++) {
      clock.pass(Duration.ofSeconds(1));
      two.peers.beat();
      others.forEach(server -> server.peers.beat());
      int forgotten = others.stream().mapToInt(server -> server.heard.size()).sum();
      most = Math.max(most, forgotten - before);
      before = forgotten;
    }
    assertThat(before).as("each once").isEqualTo(others.size());
    assertThat(most).isLessThanOrEqualTo(others.size() / 3);
  }

  @Test
  void aServerThatReturnsWithItsNumbersIsNotForgottenByThoseThatWaited() {
    for (int second = 0; second < 5; second++) {
      clock.pass(Duration.ofSeconds(1));
      two.peers.beat();
    }
    one.peers.beat();
    beats(20);
    assertThat(two.heard).isEmpty();
    one.announce("a");
    assertThat(two.heard).containsExactly("a");
  }

  @Test
  void aServerThatReturnsWithItsNumbersIsForgottenOnlyOnce() {
    one.announce("a");
    for (int second = 0; second < 20; second++) {
      clock.pass(Duration.ofSeconds(1));
      two.peers.beat();
    }
    assertThat(two.heard).containsExactly("a", "*");
    one.peers.beat();
    beats(20);
    assertThat(two.heard).containsExactly("a", "*");
    assertThat(two.peers.stats().peers()).isEqualTo(1);
    assertThat(two.peers.stats().gaps()).as("its silence").isEqualTo(1);
  }

  @Test
  void aServerThatReturnsWithOtherNumbersIsForgottenAgain() {
    one.announce("a");
    one.line.sends = false;
    beats(20);
    assertThat(one.announce("b")).isFalse();
    one.line.sends = true;
    beats(20);
    assertThat(two.heard).containsExactly("a", "*", "*");
  }

  /** For example a master that is cut off together with one server: it accepts all messages. */
  @Test
  void aServerThatIsCutOffTogetherWithItsChannelIsToConnectAgain() {
    beats(5);
    two.line.part = 1;
    beats(20);
    assertThat(two.heard).containsExactly("*");
    assertThat(two.peers.stats().connected()).isTrue();
    assertThat(two.line.renewals).isEqualTo(1);
    assertThat(one.line.renewals).isEqualTo(1);
    two.line.part = 0;
    beats(20);
    two.peers.close();
    beats(20);
    assertThat(one.line.renewals).as("a server that was closed is not missed").isEqualTo(1);
  }

  private void beats(Server server, int seconds) {
    for (int second = 0; second < seconds; second++) {
      clock.pass(Duration.ofSeconds(1));
      one.peers.beat();
      server.peers.beat();
    }
  }

  /** How long each server waits for the silent one is random. */
  @Test
  void aServerThatIsAloneSoonAfterItHasConnectedAgainConnectsOnceMore() {
    for (int self = 10; self < 20; self++) {
      Server server = new Server(self);
      server.peers.start();
      beats(server, 2);
      server.line.part = 1;
      server.line.hears = false;
      beats(server, 5);
      assertThat(server.line.renewals).as("server %s hears nothing", self).isEqualTo(1);
      server.line.hears = true;
      beats(server, 25);
      assertThat(server.line.renewals).as("server %s is alone", self).isEqualTo(2);
      server.peers.close();
    }
  }

  @Test
  void aServerThatFallsSilentAmongOthersLeavesTheChannelAsItIs() {
    Server three = new Server(3);
    three.peers.start();
    for (int second = 0; second < 20; second++) {
      three.peers.beat();
      beats(1);
    }
    three.line.sends = false;
    beats(20);
    assertThat(two.peers.stats().peers()).isEqualTo(1);
    assertThat(two.line.renewals).isZero();
  }

  @Test
  void aPauseOfThisProcessIsNotTakenForALostConnection() {
    clock.pass(Duration.ofSeconds(30));
    two.peers.beat();
    one.peers.beat();
    beats(20);
    assertThat(two.heard).isEmpty();
    assertThat(one.heard).isEmpty();
  }

  @Test
  void aConnectionThatIsLostInAPauseIsNoticedSoonAfterIt() {
    two.line.hears = false;
    for (int pause = 0; pause < 3; pause++) {
      clock.pass(Duration.ofSeconds(30));
      two.peers.beat();
    }
    assertThat(two.heard).contains("*");
    assertThat(two.peers.stats().connected()).isFalse();
  }
}
