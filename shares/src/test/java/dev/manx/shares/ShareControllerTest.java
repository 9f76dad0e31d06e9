/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static dev.manx.shares.CacheFixtures.MB;
import static dev.manx.shares.CacheFixtures.MS;
import static dev.manx.shares.CacheFixtures.SECOND;
import static dev.manx.shares.CacheFixtures.blocking;
import static dev.manx.shares.CacheFixtures.follow;
import static dev.manx.shares.CacheFixtures.full;
import static dev.manx.shares.CacheFixtures.limits;
import static dev.manx.shares.CacheFixtures.names;
import static dev.manx.shares.CacheFixtures.shares;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.spi.PolicyInfo;
import dev.manx.shares.ShareController.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShareControllerTest {
  private static final Goals P99 = Goals.parse("p99", 0.005);
  private static final ControllerSettings BYTES =
      new ControllerSettings(5 * SECOND, 5 * SECOND, 30 * SECOND, 0, 1);

  private static ShareController robinHood(ControllerSettings settings, Map<String, Long> shares) {
    return new ShareController(
        new RobinHoodPolicy(0.01, 0.3, P99),
        settings,
        shares.values().stream().mapToLong(bytes -> bytes).sum(),
        shares);
  }

  @Test
  void growsOnlyIntoWhatHasBeenConfirmed() {
    ShareController controller =
        new ShareController(new RobinHoodPolicy(0.01, 0.3, P99), BYTES, 300 * MB, names(3));
    List<Move> shrinks = controller.tick(0, blocking(9, 0, 0), 0, full(controller));
    assertThat(shrinks)
        .containsExactly(new Move("b1", 100 * MB, 99 * MB), new Move("b2", 100 * MB, 99 * MB));
    assertThat(controller.confirm("b1", 99 * MB)).isEmpty();
    assertThat(controller.freeBytes()).isEqualTo(MB);
    assertThat(controller.confirm("b2", 99 * MB))
        .containsExactly(new Move("b0", 100 * MB, 102 * MB));
    assertThat(controller.freeBytes()).isZero();
    assertThat(limits(controller)).isEqualTo(300 * MB);
  }

  @Test
  void anUnfinishedMoveIsAskedForAgainBeforeAnythingNewIsDecided() {
    ShareController controller =
        new ShareController(new RobinHoodPolicy(0.01, 0.3, P99), BYTES, 300 * MB, names(3));
    List<Move> first = controller.tick(0, blocking(9, 0, 0), 0, full(controller));
    controller.confirm("b1", 99 * MB);
    controller.confirm("b2", 99 * MB + MB / 2);
    List<Move> again = controller.tick(5 * SECOND, blocking(0, 9, 0), 5 * SECOND, full(controller));
    assertThat(first).hasSize(2);
    assertThat(again).containsExactly(new Move("b2", 99 * MB + MB / 2, 99 * MB));
    assertThat(controller.outcome()).isEqualTo(Outcome.DEFERRED);
    assertThat(controller.confirm("b2", 99 * MB)).hasSize(1);
    assertThat(controller.tick(10 * SECOND, blocking(0, 9, 0), 10 * SECOND, full(controller)))
        .extracting(Move::backend)
        .containsExactly("b0", "b2");
  }

  @Test
  void staleMissingAndEmptyStatisticsFreezeTheShares() {
    ShareController controller =
        new ShareController(new RobinHoodPolicy(0.01, 0.3, P99), BYTES, 300 * MB, names(3));
    LocalCache cache = full(controller);
    assertThat(controller.tick(0, null, 0, cache)).isEmpty();
    assertThat(controller.outcome()).isEqualTo(Outcome.FROZEN);
    assertThat(controller.tick(1, blocking(0, 0, 0), 1, cache)).isEmpty();
    assertThat(controller.outcome()).isEqualTo(Outcome.FROZEN);
    assertThat(controller.tick(31 * SECOND, blocking(9, 0, 0), 0, cache)).isEmpty();
    assertThat(controller.outcome()).isEqualTo(Outcome.FROZEN);
    assertThat(controller.tick(32 * SECOND, blocking(9, 0, 0), 31 * SECOND, cache)).hasSize(2);
    assertThat(controller.outcome()).isEqualTo(Outcome.DECIDED);
  }

  @Test
  void aClockThatJumpsNeitherStopsNorRushesIt() {
    ShareController controller =
        new ShareController(new RobinHoodPolicy(0.01, 0.3, P99), BYTES, 300 * MB, names(3));
    follow(controller, controller.tick(1_000 * SECOND, blocking(9, 0, 0), 0, full(controller)));
    assertThat(controller.due(1_001 * SECOND)).isFalse();
    assertThat(controller.due(1_005 * SECOND)).isTrue();
    assertThat(controller.due(3 * SECOND)).as("an hour back").isTrue();
    controller.tick(3 * SECOND, blocking(9, 0, 0), 1_000 * SECOND, full(controller));
    assertThat(controller.outcome()).isEqualTo(Outcome.FROZEN);
    assertThat(controller.due(4 * SECOND)).isFalse();
    follow(
        controller, controller.tick(8 * SECOND, blocking(9, 0, 0), 8 * SECOND, full(controller)));
    assertThat(controller.outcome()).isEqualTo(Outcome.DECIDED);
    assertThat(limits(controller)).isEqualTo(300 * MB);
  }

  @Test
  void backendsComeAndGo() {
    ShareController controller =
        new ShareController(
            new RobinHoodPolicy(0.01, 0.3, P99),
            new ControllerSettings(5 * SECOND, 5 * SECOND, 30 * SECOND, 10 * MB, MB),
            300 * MB,
            names(3));
    controller.add("new", 20 * MB);
    follow(controller, controller.tick(0, null, 0, full(controller)));
    assertThat(controller.limitBytes("new")).isEqualTo(20 * MB);
    assertThat(limits(controller)).isEqualTo(300 * MB);
    follow(controller, controller.remove("b1"));
    assertThat(controller.backends()).containsExactly("b0", "b2", "new");
    assertThat(controller.freeBytes()).isPositive();
    follow(controller, controller.tick(5 * SECOND, null, 0, full(controller)));
    assertThat(controller.freeBytes()).isZero();
    assertThat(limits(controller)).isEqualTo(300 * MB);
    assertThatThrownBy(() -> controller.add("too much", 271 * MB))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("floors");
    assertThat(controller.backends()).hasSize(3);
    assertThatThrownBy(() -> controller.add("b0", 0)).hasMessageContaining("exists already");
    assertThatThrownBy(() -> controller.confirm("b1", 0)).hasMessageContaining("no backend b1");
  }

  @Test
  void aSharedBackendKeepsItsOwnFloor() {
    ShareController controller =
        new ShareController(new RobinHoodPolicy(0.01, 0.3, P99), BYTES, 300 * MB, names(3));
    controller.floor("b2", 98 * MB);
    for (long t = 0; t < 100; t++) {
      long now = t * 5 * SECOND;
      follow(controller, controller.tick(now, blocking(9, 0, 0), now, full(controller)));
    }
    assertThat(controller.limitBytes("b2")).isGreaterThanOrEqualTo(98 * MB);
    assertThat(controller.limitBytes("b1")).isLessThan(40 * MB);
  }

  /** Half of the space cannot be resized, and the floors of the others exceed the other half. */
  @Test
  void floorsThatDoNotFitBesideAFixedShareShrinkInProportion() {
    ControllerSettings pages =
        new ControllerSettings(5 * SECOND, 5 * SECOND, 30 * SECOND, 5 * MB, MB);
    ShareController controller =
        new ShareController(new RobinHoodPolicy(0.01, 0.3, P99), pages, 100 * MB, names(2));
    controller.fix("b0", 50 * MB);
    controller.add("b2", 60 * MB);
    for (long t = 0; t < 5; t++) {
      long now = t * 5 * SECOND;
      List<Move> shrinks = controller.tick(now, blocking(9, 1, 0), now, full(controller));
      assertThat(shrinks).noneMatch(move -> move.toBytes() < 0);
      follow(controller, shrinks);
      assertThat(limits(controller)).isEqualTo(100 * MB);
    }
    assertThat(controller.outcome()).isEqualTo(Outcome.DECIDED);
    // 50 MB of 65
    assertThat(controller.limitBytes("b1")).isBetween(3 * MB, 5 * MB);
    assertThat(controller.limitBytes("b2")).isBetween(45 * MB, 47 * MB);
  }

  /** A server has its own size, and forbids another one. */
  @Test
  void theOthersDivideWhatAStoreOfAnotherSizeLeaves() {
    for (long own : new long[] {0, 10 * MB, 70 * MB, 1_000 * MB}) {
      ControllerSettings pages =
          new ControllerSettings(5 * SECOND, 5 * SECOND, 30 * SECOND, 5 * MB, MB);
      ShareController controller =
          new ShareController(new RobinHoodPolicy(0.01, 0.3, P99), pages, 100 * MB, names(3));
      long fixed = Math.min(own, 90 * MB);
      controller.fix("b0", own);
      assertThat(controller.limitBytes("b0")).isEqualTo(fixed);
      for (long t = 0; t < 5; t++) {
        assertThat(limits(controller) + controller.freeBytes()).isEqualTo(100 * MB);
        long now = t * 5 * SECOND;
        follow(controller, controller.tick(now, blocking(0, 9, 1), now, full(controller)));
        assertThat(controller.freeBytes()).as("own size %d", own).isZero();
        assertThat(controller.limitBytes("b0")).isEqualTo(fixed);
        assertThat(controller.limitBytes("b2")).isGreaterThanOrEqualTo(5 * MB);
      }
    }
  }

  private static ShareController withFloors() {
    return new ShareController(
        new RobinHoodPolicy(0.01, 0.3, P99),
        new ControllerSettings(5 * SECOND, 5 * SECOND, 30 * SECOND, 5 * MB, MB),
        300 * MB,
        names(3));
  }

  /** Two servers of a gigabyte each, in a cache of 300 MB. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void storesThatAreTogetherLargerThanTheCacheLeaveTheOthersTheirFloors(boolean inOrder) {
    ShareController controller = withFloors();
    for (String name : inOrder ? List.of("b0", "b1") : List.of("b1", "b0")) {
      controller.fix(name, 1_000 * MB);
    }
    for (long t = 0; t < 10; t++) {
      long now = t * 5 * SECOND;
      List<Move> shrinks = controller.tick(now, blocking(1, 1, 9), now, full(controller));
      assertThat(controller.outcome()).isEqualTo(Outcome.DECIDED);
      assertThat(shrinks).noneMatch(move -> move.toBytes() < 5 * MB);
      follow(controller, shrinks);
      assertThat(controller.limitBytes("b2")).isGreaterThanOrEqualTo(5 * MB);
      assertThat(limits(controller) + controller.freeBytes()).isEqualTo(300 * MB);
    }
    assertThat(controller.freeBytes()).isZero();
  }

  /** Later it may be resized again, to no less than its floor. */
  @Test
  void theFloorOfALaterBackendIsPaidByTheFixedShareThatHasMore() {
    ShareController controller = withFloors();
    controller.fix("b1", 1_000 * MB);
    controller.fix("b0", 1_000 * MB);
    follow(controller, controller.tick(0, blocking(1, 1, 9), 0, full(controller)));
    controller.add("b3", 0);
    follow(controller, controller.tick(5 * SECOND, null, 0, full(controller)));
    for (String name : List.of("b0", "b2", "b3")) {
      assertThat(controller.limitBytes(name)).as(name).isEqualTo(5 * MB);
    }
    assertThat(controller.limitBytes("b1")).isEqualTo(285 * MB);
  }

  /** The others have not yet made room for a fixed share. */
  @Test
  void aBackendIsAddedThoughSpaceIsOwed() {
    ShareController controller = withFloors();
    controller.fix("b0", 1_000 * MB);
    assertThat(controller.freeBytes()).isNegative();
    controller.add("b3", 0);
    for (long t = 0; t < 2; t++) {
      long now = t * 5 * SECOND;
      follow(controller, controller.tick(now, blocking(0, 9, 0), now, full(controller)));
    }
    for (String name : List.of("b1", "b2", "b3")) {
      assertThat(controller.limitBytes(name)).as(name).isGreaterThanOrEqualTo(5 * MB);
    }
    assertThat(controller.freeBytes()).isZero();
    assertThat(limits(controller)).isEqualTo(300 * MB);
  }

  /** As on a server that has evicted values for years. */
  @Test
  void whatHadNoRoomBeforeTheFirstDecisionDoesNotMakeAShareFull() {
    ShareController controller =
        new ShareController(new RobinHoodPolicy(0.01, 0.3, P99), BYTES, 100 * MB, names(2));
    long[] evicted = {1_000_000};
    LocalCache cache =
        new LocalCache() {
          @Override
          public long usedBytes(String backend) {
            return backend.equals("b0") ? MB : controller.limitBytes(backend);
          }

          @Override
          public long withoutRoom(String backend) {
            return backend.equals("b0") ? evicted[0] : 0;
          }
        };
    follow(controller, controller.tick(0, blocking(9, 0), 0, cache));
    assertThat(controller.limitBytes("b0")).isLessThanOrEqualTo(50 * MB);
    evicted[0]++;
    long before = controller.limitBytes("b0");
    follow(controller, controller.tick(5 * SECOND, blocking(9, 0), 5 * SECOND, cache));
    assertThat(controller.limitBytes("b0")).isGreaterThan(before);
  }

  /** An entry of 3 MB in a share of 5 MB, then none that fits, then no more demand. */
  @Test
  void aShareWithoutRoomForItsValuesIsFull() {
    ShareController controller =
        new ShareController(
            new RobinHoodPolicy(0.01, 0.3, P99),
            new ControllerSettings(5 * SECOND, 5 * SECOND, 30 * SECOND, 5 * MB, 1),
            100 * MB,
            Map.of("b0", 5 * MB, "b1", 95 * MB));
    long[] withoutRoom = {0};
    LocalCache cache =
        new LocalCache() {
          @Override
          public long usedBytes(String backend) {
            return backend.equals("b0") ? 3 * MB : controller.limitBytes(backend);
          }

          @Override
          public long withoutRoom(String backend) {
            return backend.equals("b0") ? withoutRoom[0] : 0;
          }
        };
    WindowStatistics window = blocking(9, 0);
    follow(controller, controller.tick(0, window, 0, cache));
    assertThat(controller.limitBytes("b0")).as("a third is unused").isEqualTo(5 * MB);
    long now = 5 * SECOND;
    for (int tick = 0; tick < 5; tick++) {
      withoutRoom[0] += 10;
      long before = controller.limitBytes("b0");
      follow(controller, controller.tick(now, window, now, cache));
      assertThat(controller.limitBytes("b0")).isGreaterThan(before + MB / 2);
      now += 5 * SECOND;
    }
    long before = controller.limitBytes("b0");
    follow(controller, controller.tick(now, window, now, cache));
    assertThat(controller.limitBytes("b0")).as("no demand any more").isEqualTo(before);
  }

  /** Shares of less than 100 pages lose less than a page at each tick, but do lose it. */
  @Test
  void roundedOffSharesArePaidLater() {
    ControllerSettings pages =
        new ControllerSettings(5 * SECOND, 5 * SECOND, 30 * SECOND, 0, 1 << 20);
    ShareController controller =
        new ShareController(new RobinHoodPolicy(0.01, 0.3, P99), pages, 200L << 20, names(20));
    int[] onlyTheFirst = new int[20];
    onlyTheFirst[0] = 9;
    for (long t = 0; t < 100; t++) {
      long now = t * 5 * SECOND;
      follow(controller, controller.tick(now, blocking(onlyTheFirst), now, full(controller)));
    }
    // 0.99^100 = 37 % of 10 MiB are left to each of the others
    for (String name : names(20).subList(1, 20)) {
      assertThat(controller.limitBytes(name)).isBetween(2L << 20, 6L << 20);
    }
  }

  static Stream<String> partitioning() {
    return SharePolicies.all().stream()
        .map(PolicyInfo::name)
        .filter(name -> CacheStrategy.named(name).newPolicy().partitions());
  }

  /** For any behaviour of a store, limits and free bytes add up and floors hold. */
  @ParameterizedTest
  @MethodSource("partitioning")
  void theSumIsConservedWhateverHappens(String policy) {
    for (long seed = 1; seed <= 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ControllerSettings settings =
          new ControllerSettings(
              5 * SECOND, 5 * SECOND, 30 * SECOND, 3 * MB, 1 + random.nextInt(99_999));
      int n = 2 + random.nextInt(8);
      long capacity = 100 * MB + random.nextInt(1_000_000);
      ShareController controller =
          new ShareController(
              CacheStrategy.named(policy).newPolicy(), settings, capacity, names(n));
      List<String> known = new ArrayList<>(names(n));
      for (int t = 0; t < 200; t++) {
        String where = policy + ", seed " + seed + ", tick " + t;
        long now = t * 5 * SECOND;
        List<Move> moves =
            controller.tick(now, randomWindow(known, random), now, used(controller, random));
        for (Move move : moves) {
          assertThat(move.shrinks()).as(where).isTrue();
          if (random.nextInt(10) > 0) {
            long reached =
                random.nextInt(5) > 0
                    ? move.toBytes()
                    : move.toBytes() + (move.fromBytes() - move.toBytes()) / 2;
            for (Move grow : controller.confirm(move.backend(), reached)) {
              assertThat(grow.shrinks()).as(where).isFalse();
              boolean can = random.nextInt(20) > 0;
              controller.confirm(grow.backend(), can ? grow.toBytes() : grow.fromBytes());
            }
          }
          assertThat(limits(controller) + controller.freeBytes()).as(where).isEqualTo(capacity);
        }
        controller.grow();
        if (t % 50 == 49) {
          String name = "x" + t;
          controller.add(name, 0);
          known.add(name);
          if (!controller.remove(known.get(0)).isEmpty()) {
            controller.confirm(known.get(0), 0);
          }
          known.remove(0);
        }
        assertThat(limits(controller) + controller.freeBytes()).as(where).isEqualTo(capacity);
        assertThat(controller.freeBytes()).as(where).isNotNegative();
      }
      for (int t = 200; t < 210; t++) {
        follow(controller, controller.tick(t * 5 * SECOND, null, 0, full(controller)));
      }
      assertThat(controller.freeBytes()).as("seed " + seed).isZero();
      for (String name : controller.backends()) {
        assertThat(controller.limitBytes(name)).as("seed " + seed).isGreaterThanOrEqualTo(3 * MB);
      }
    }
  }

  private static LocalCache used(ShareController controller, SplittableRandom random) {
    return name -> (long) (controller.limitBytes(name) * random.nextDouble());
  }

  private static WindowStatistics randomWindow(List<String> names, SplittableRandom random) {
    WindowRecorder recorder = new WindowRecorder(names);
    for (int i = 0; i < 300; i++) {
      int backend = random.nextInt(names.size());
      recorder.request((long) (MS * Math.exp(6 * random.nextDouble())), backend);
      if (random.nextBoolean()) {
        recorder.hit(backend, MS);
      } else {
        recorder.miss(backend, (long) (MS * Math.exp(6 * random.nextDouble())));
      }
      if (random.nextInt(5) == 0) {
        recorder.shadowHit(random.nextInt(names.size()));
      }
    }
    return recorder.cut();
  }

  /** RobinHood section 3.2: caches with different initial shares converge within 30 minutes. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void twoControllersThatStartApartConverge(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ControllerSettings settings =
        new ControllerSettings(5 * SECOND, 5 * SECOND, 30 * SECOND, 30 * MB, 1 << 20);
    int n = 10;
    long capacity = 32_000 * MB;
    ShareController one =
        new ShareController(new RobinHoodPolicy(0.01, 0.3, P99), settings, capacity, names(n));
    Map<String, Long> apart = shares(one);
    long moved = 2_700 * MB;
    for (int b = 0; b < n; b++) {
      apart.merge("b" + b, b % 2 == 0 ? moved : -moved, Long::sum);
    }
    ShareController other = robinHood(settings, apart);
    for (long t = 0; t < 360; t++) {
      long now = t * 5 * SECOND;
      WindowStatistics same = randomWindow(names(n), random);
      follow(one, one.tick(now, same, now, full(one)));
      follow(other, other.tick(now, same, now, full(other)));
    }
    for (String name : names(n)) {
      long difference = Math.abs(one.limitBytes(name) - other.limitBytes(name));
      // 0.99^360 = 2.7 % of the first difference, and a page or two of rounding
      assertThat(difference)
          .as("seed %d, %s", seed, name)
          .isLessThan((long) (0.027 * moved) + (3 << 20));
    }
  }

  @Test
  void equalSharesArePaidForLikeThoseOfADecision() {
    ShareController controller =
        new ShareController(
            new RobinHoodPolicy(0.01, 0.3, P99), BYTES, 300 * MB, List.<String>of());
    controller.add("a", 0);
    assertThat(controller.equalize()).isEmpty();
    assertThat(controller.grow()).containsExactly(new Move("a", 0, 300 * MB));
    controller.add("b", 200 * MB);
    assertThat(controller.equalize()).containsExactly(new Move("a", 300 * MB, 100 * MB));
    assertThat(controller.confirm("a", 250 * MB)).isEmpty();
    assertThat(controller.grow()).isEmpty();
    assertThat(controller.tick(0, null, full(controller)))
        .containsExactly(new Move("a", 250 * MB, 100 * MB));
    assertThat(controller.confirm("a", 100 * MB)).containsExactly(new Move("b", 0, 200 * MB));
  }

  /** With floors of whole steps of the store, two of 64 bytes would not fit. */
  @Test
  void aStoreThatDoesNotFitLeavesTheFloorsOfTheOthers() {
    ShareController controller =
        new ShareController(new SharedPolicy(), BYTES, 100, List.<String>of());
    controller.add("a", 40);
    controller.add("b", 40);
    assertThatThrownBy(() -> controller.granularity(64)).hasMessageContaining("floors");
    controller.add("c", 20);
    assertThat(controller.backends()).containsExactly("a", "b", "c");
  }

  @Test
  void badStartsAreRefused() {
    assertThatThrownBy(
            () ->
                new ShareController(
                    new SharedPolicy(), ControllerSettings.standard(), 10 * MB, names(3)))
        .hasMessageContaining("floors");
    assertThatThrownBy(
            () -> new ShareController(new SharedPolicy(), BYTES, 10, Map.of("a", 4L, "b", 5L)))
        .hasMessageContaining("shares of 9");
    assertThatThrownBy(() -> new ShareController(new SharedPolicy(), BYTES, 10, List.of("a", "a")))
        .hasMessageContaining("twice");
  }
}
