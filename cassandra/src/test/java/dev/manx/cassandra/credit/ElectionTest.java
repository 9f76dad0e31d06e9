/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.message.TestNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ElectionTest {
  private static final long TICK = 100_000_000L;
  private static final InetAddressAndPort ONE = TestNodes.address(1);
  private static final InetAddressAndPort TWO = TestNodes.address(2);
  private static final InetAddressAndPort THREE = TestNodes.address(3);

  @Test
  void theFirstBecomesACandidateAfterASilenceAndTheNextOnesLater() {
    Election first = new Election(ONE, -5);
    assertThat(first.look(0, -5 + Election.EXPIRY_NANOS - 1)).isNull();
    assertThat(first.look(0, -5 + Election.EXPIRY_NANOS)).isEqualTo(ONE);
    Election second = new Election(TWO, -5);
    assertThat(second.look(1, -5 + Election.EXPIRY_NANOS)).isNull();
    second.heard(ONE, -5 + Election.EXPIRY_NANOS);
    assertThat(second.look(1, 2 * Election.EXPIRY_NANOS - 6)).isEqualTo(ONE);
    assertThat(second.look(1, 2 * Election.EXPIRY_NANOS - 5)).as("not heard since").isNull();
  }

  @Test
  void ofTwoTheLowerAddressStaysAndALaterOneFollows() {
    Election two = new Election(TWO, 0);
    assertThat(two.look(0, Election.EXPIRY_NANOS)).isEqualTo(TWO);
    two.heard(THREE, Election.EXPIRY_NANOS);
    assertThat(two.isSelf()).isTrue();
    two.heard(ONE, Election.EXPIRY_NANOS);
    assertThat(two.look(0, Election.EXPIRY_NANOS)).isEqualTo(ONE);
    Election late = new Election(ONE, 0);
    late.heard(TWO, 5);
    assertThat(late.look(0, Election.EXPIRY_NANOS)).as("lower, but later").isEqualTo(TWO);
  }

  @Test
  void aControllerThatDiedIsNotWaitedFor() {
    Election two = new Election(TWO, 0);
    two.heard(ONE, 0);
    two.gone(THREE, 5);
    assertThat(two.known()).isEqualTo(ONE);
    two.gone(ONE, 5);
    assertThat(two.look(0, 5)).isNull();
    assertThat(two.look(0, 5 + Election.EXPIRY_NANOS)).isEqualTo(TWO);
  }

  /** Messages take up to two ticks, and some are lost; occasionally a node stops or returns. */
  @Test
  void allNodesFollowOneInTheEnd() {
    long first = 777;
    System.out.println("ElectionTest: seeds from " + first);
    for (long seed = first; seed < first + 300; seed++) {
      play(seed);
    }
  }

  private record Letter(int from, int to, long dueNanos) {}

  private static void play(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int nodes = random.nextInt(2, 9);
    Election[] elections = new Election[nodes];
    long[] beats = new long[nodes];
    List<Letter> letters = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < nodes; i++) {
      elections[i] = new Election(TestNodes.address(i + 1), now);
    }
    for (int tick = 0; tick < 300; tick++) {
      now += TICK;
      boolean calm = tick > 200;
      if (!calm && random.nextInt(20) == 0) {
        int node = random.nextInt(nodes);
        elections[node] =
            elections[node] == null ? new Election(TestNodes.address(node + 1), now) : null;
      }
      int alive = 0;
      for (int i = 0; i < nodes; i++) {
        if (elections[i] != null) {
          tick(i, alive++, elections, beats, letters, now, calm ? 0 : 30, random);
        }
      }
    }
    List<InetAddressAndPort> leaders = new ArrayList<>();
    for (Election election : elections) {
      if (election != null) {
        leaders.add(election.known());
      }
    }
    assertThat(leaders.stream().distinct().count()).as("seed %d: %s", seed, leaders).isLessThan(2);
    assertThat(leaders).as("seed " + seed).doesNotContainNull();
  }

  private static void tick(
      int node,
      int before,
      Election[] elections,
      long[] beats,
      List<Letter> letters,
      long now,
      int lossPct,
      SplittableRandom random) {
    for (Letter letter : List.copyOf(letters)) {
      if (letter.to == node && letter.dueNanos <= now) {
        letters.remove(letter);
        elections[node].heard(TestNodes.address(letter.from + 1), letter.dueNanos);
      }
    }
    elections[node].look(before, now);
    if (elections[node].isSelf() && now - beats[node] >= Election.BEAT_NANOS) {
      beats[node] = now;
      for (int to = 0; to < elections.length; to++) {
        if (to != node && elections[to] != null && random.nextInt(100) >= lossPct) {
          letters.add(new Letter(node, to, now + random.nextLong(2 * TICK)));
        }
      }
    }
  }
}
