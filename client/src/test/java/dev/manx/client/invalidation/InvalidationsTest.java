/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Logged;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Gaps, floods, failing channels: a possible miss empties the backend. */
@Timeout(60)
class InvalidationsTest extends TwoServers {
  @Test
  void keysReachTheOthersAndNotTheSender() {
    assertThat(one.announce("a", "b")).isTrue();
    assertThat(two.announce()).isTrue();
    beats(20);
    assertThat(two.heard).containsExactly("a", "b");
    assertThat(one.heard).containsExactly("*");
    assertThat(two.peers.stats().received()).isEqualTo(1);
    assertThat(two.peers.stats().gaps()).isZero();
    assertThat(two.peers.stats().peers()).isEqualTo(1);
    assertThat(two.peers.stats().connected()).isTrue();
  }

  @Test
  void manyKeysGoInSeveralMessagesAndALongKeyMeansAll() {
    String[] keys = IntStream.range(0, 250).mapToObj(i -> "k" + i).toArray(String[]::new);
    one.announce(keys);
    assertThat(two.heard).containsExactly(keys);
    assertThat(one.peers.stats().sent()).isGreaterThanOrEqualTo(3);
    one.announce("x".repeat(InvalidationMessage.LONGEST_KEY + 1));
    assertThat(two.heard).endsWith("*").hasSize(251);
  }

  /** A character may take three bytes. */
  @Test
  void keysThatAreTooLongTogetherGoInSeveralMessages() {
    String[] keys =
        IntStream.range(0, InvalidationMessage.MOST_KEYS)
            .mapToObj(i -> i + "\u6f22".repeat(InvalidationMessage.LONGEST_KEY - 3))
            .toArray(String[]::new);
    one.announce(keys);
    assertThat(two.heard).containsExactly(keys);
    assertThat(two.peers.stats().received()).isEqualTo(3);
    assertThat(two.peers.stats().unread()).isZero();
  }

  /** A channel such as Redis connects only after the first beat. */
  @Test
  void aChannelThatConnectsAtFirstIsNotWarnedOf() {
    Server late = new Server(3);
    late.line.sends = false;
    assertThat(
            Logged.during(
                () -> {
                  late.peers.start();
                  late.line.sends = true;
                  late.peers.beat();
                }))
        .isEmpty();
    assertThat(late.heard).containsExactly("*");
    assertThat(late.peers.stats().notSent()).isEqualTo(1);
    late.line.sends = false;
    assertThat(Logged.during(() -> late.peers.beat())).contains("did not reach the other servers");
    late.peers.close();
  }

  @Test
  void aLostMessageIsNoticedWithTheNextBeatOrTheNextMessage() {
    one.line.loses = true;
    one.announce("a");
    one.line.loses = false;
    one.peers.beat();
    assertThat(two.heard).containsExactly("*");
    one.line.loses = true;
    one.announce("b");
    one.line.loses = false;
    one.announce("c");
    assertThat(two.heard).containsExactly("*", "*");
    assertThat(two.peers.stats().gaps()).isEqualTo(2);
    one.announce("d");
    assertThat(two.heard).containsExactly("*", "*", "d");
  }

  /** No error tells of a server that has vanished, so its channel would stay there for ever. */
  @Test
  void aChannelThatReturnsNothingIsToConnectAgain() {
    beats(4);
    assertThat(two.line.renewals).isZero();
    two.line.hears = false;
    beats(4);
    assertThat(two.line.renewals).isZero();
    beats(1);
    assertThat(two.line.renewals).isEqualTo(1);
    beats(4);
    assertThat(two.line.renewals)
        .as("fresh connections have time to prove themselves")
        .isEqualTo(1);
    beats(1);
    assertThat(two.line.renewals).isEqualTo(2);
    two.line.hears = true;
    beats(10);
    assertThat(two.line.renewals).isEqualTo(2);
    assertThat(one.line.renewals).isZero();
  }

  @Test
  void aMessageThatTheChannelRejectsFailsAndIsMadeUpFor() {
    one.line.sends = false;
    assertThat(one.announce("a")).isFalse();
    assertThat(two.heard).isEmpty();
    one.line.sends = true;
    one.peers.beat();
    assertThat(two.heard).containsExactly("*");
    assertThat(one.peers.stats().notSent()).isEqualTo(1);
  }

  @Test
  void aChannelThatHangsIsNotFloodedAndTheGapIsNoticed() {
    one.line.hangs = true;
    for (int i = 0; i < Announcements.MOST_UNDER_WAY; i++) {
      assertThat(one.announce("k" + i)).isTrue();
    }
    assertThat(one.announce("one-too-many")).isFalse();
    assertThat(two.heard).isEmpty();
    // The next second's beat exceeds the limit as well, so the silence is noticed.
    beats(16);
    assertThat(two.heard).containsExactly("*");
  }

  @Test
  void aFarewellTellsOfAnInvalidationThatWasMissed() {
    one.line.loses = true;
    one.announce("a");
    one.line.loses = false;
    one.peers.close();
    assertThat(two.heard).containsExactly("*");
    assertThat(two.peers.stats().peers()).isZero();
  }

  /** A job whose channel connects only after it has written. */
  @Test
  void aFarewellOfAnUnknownServerTellsOfItsInvalidations() {
    Server job = new Server(3);
    job.line.sends = false;
    job.peers.start();
    assertThat(job.announce("a")).isFalse();
    job.line.sends = true;
    job.peers.close();
    assertThat(two.heard).containsExactly("*");
    assertThat(two.peers.stats().peers()).isEqualTo(1);
    Server idle = new Server(4);
    idle.line.sends = false;
    idle.peers.start();
    idle.line.sends = true;
    idle.peers.close();
    assertThat(two.heard).as("one that has invalidated nothing").containsExactly("*");
  }

  @Test
  void aServerThatWasNotKnownMayHaveInvalidatedBefore() {
    Server three = new Server(3);
    three.peers.start();
    three.heard.clear();
    one.announce("a");
    // Three does not know the previous number: it has received only one beat since its start.
    assertThat(three.heard).containsExactly("a");
    Server four = new Server(4);
    four.peers.start();
    one.peers.beat();
    assertThat(four.heard).contains("*");
  }

  @Test
  void aBeatThatFailsIsNotTheLast() {
    List<Runnable> later = new ArrayList<>();
    InvalidationChannel broken =
        new InvalidationChannel() {
          @Override
          public void open(Listener listener) {}

          @Override
          public CompletionStage<Void> publish(byte[] message) {
            throw new LinkageError("asked to fail");
          }

          @Override
          public void close() {}
        };
    Invalidations server =
        new Invalidations(
            broken,
            (nanos, task) -> {
              later.add(task);
              return () -> {};
            },
            clock,
            3);
    server.start();
    assertThat(later).hasSize(1);
    later.get(0).run();
    assertThat(later).hasSize(2);
    assertThat(server.stats().notSent()).isEqualTo(2);
  }

  @Test
  void aBeatThatCannotBeScheduledIsScheduledAgain() {
    List<Runnable> later = new ArrayList<>();
    int[] failures = {0};
    Invalidations server =
        new Invalidations(
            bus.line(),
            (nanos, task) -> {
              if (failures[0]-- > 0) {
                // Not an OutOfMemoryError: a regression would let it end the whole test run.
                throw new LinkageError("asked to fail");
              }
              later.add(task);
              return () -> {};
            },
            clock,
            3);
    server.start();
    failures[0] = 2;
    later.get(0).run();
    assertThat(later).hasSize(2);
    later.get(1).run();
    assertThat(later).hasSize(3);
    failures[0] = Integer.MAX_VALUE;
    server.close();
    later.get(2).run();
    assertThat(later).as("no beat after the end").hasSize(3);
  }

  @Test
  void oneServerFollowsABoundedNumberOfOthers() {
    for (int i = 0; i < Invalidations.MOST_PEERS + 50; i++) {
      two.line.say(
          new InvalidationMessage(InvalidationMessage.Kind.BEAT, 100 + i, 0, "", List.of())
              .encode());
    }
    assertThat(two.peers.stats().peers()).isEqualTo(Invalidations.MOST_PEERS);
    assertThat(two.heard).isEmpty();
  }

  /** Servers beyond that number take turns, which is no reason to remove anything. */
  @Test
  void theNumbersOfServersThatAreNoLongerFollowedAreRemembered() {
    for (int turn = 0; turn < 2; turn++) {
      for (int i = 0; i < Invalidations.MOST_PEERS + 50; i++) {
        two.line.say(
            new InvalidationMessage(InvalidationMessage.Kind.BEAT, 100 + i, i, "", List.of())
                .encode());
      }
    }
    assertThat(two.heard).as("of each once").hasSize(Invalidations.MOST_PEERS + 49);
  }
}
