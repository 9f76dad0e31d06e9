/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tags and facts on the wire: round trips, foreign versions, garbage. */
public class WireTest {
  private static final Facts FACTS = new Facts(Fact.ALL);

  @Test
  void factsArriveAsMeasuredAndAge() {
    ClusterState state = new ClusterState(4, 1);
    assertThat(state.ageNanos(FactColumn.WORK_AHEAD, 2, 50)).isEqualTo(ClusterView.NEVER);
    assertThat(FACTS.decode(FACTS.encode(load()), state, 2, 1_000)).isTrue();
    assertThat(values(state, 2)).containsExactly(2, 55, 10, 60, 300, 2, 0, 813, 0);
    assertThat(state.ageNanos(FactColumn.WORK_AHEAD, 2, 1_250)).isEqualTo(250);
    assertThat(values(state, 1)).containsOnly(0);
    state.forget(2);
    assertThat(values(state, 2)).containsOnly(0);
    assertThat(state.ageNanos(FactColumn.WORK_AHEAD, 2, 1_250)).isEqualTo(ClusterView.NEVER);
  }

  @Test
  void ownLoadAppliesTheSameWithoutTheWire() {
    ClusterState state = new ClusterState(4, 1);
    FACTS.applyLocal(load(), state, 0, 0);
    assertThat(values(state, 0)).containsExactly(2, 55, 10, 60, 300, 2, 0, 813, 0);
  }

  @Test
  void unknownFactsAreSkippedByLength() {
    // Version 1; three facts: id 99 with 3 bytes, id 1 with one number more than is known here, id
    // 3.
    byte[] bytes = {1, 3, 99, 3, -1, -1, -1, 1, 2, 7, 8, 3, 1, 5};
    ClusterState state = new ClusterState(1, 1);
    assertThat(FACTS.decode(bytes, state, 0, 0)).isTrue();
    assertThat(state.value(FactColumn.PENDING_READS, 0)).isEqualTo(7);
    assertThat(state.value(FactColumn.WORK_AHEAD, 0)).isEqualTo(5);

    Facts narrow = new Facts(List.of(Fact.WORK_AHEAD));
    ClusterState other = new ClusterState(1, 1);
    assertThat(narrow.decode(FACTS.encode(load()), other, 0, 0)).isTrue();
    assertThat(values(other, 0)).containsExactly(0, 0, 0, 0, 300, 0, 0, 0, 0);
  }

  @Test
  void aMarkShowsThatReadsWaitForACore() {
    LocalLoad load = load();
    assertThat(Facts.waitsForCores(FACTS.encode(load))).isFalse();
    load.waitsForCores(true);
    byte[] marked = FACTS.encode(load);
    assertThat(Facts.waitsForCores(marked)).isTrue();
    ClusterState state = new ClusterState(1, 1);
    assertThat(FACTS.decode(marked, state, 0, 0)).as("no number of a fact").isTrue();
    assertThat(values(state, 0)).containsExactly(2, 55, 10, 60, 300, 2, 0, 813, 0);
    byte[] alone = new Facts(List.of()).encode(load);
    assertThat(Facts.waitsForCores(alone)).isTrue();
    assertThat(FACTS.decode(alone, state, 0, 0)).isTrue();
    // Garbage has no effect: no bytes, another id's number, a length beyond the end.
    for (byte[] garbage : new byte[][] {{}, {1}, {1, 1}, {1, 1, 3, 1, 6}, {1, 2, 3, 9, 6, 0}}) {
      assertThat(Facts.waitsForCores(garbage)).isFalse();
    }
  }

  @Test
  void thePresentNumbersOfAnOlderNodesShorterFactApply() {
    // Version 1; three facts: service-time with its first number only, work-ahead with none, id 1.
    byte[] bytes = {1, 3, 2, 1, 42, 3, 0, 1, 1, 7};
    ClusterState state = new ClusterState(1, 1);
    assertThat(FACTS.decode(bytes, state, 0, 5)).isTrue();
    assertThat(values(state, 0)).containsExactly(7, 42, 0, 0, 0, 0, 0, 0, 0);
    // Missing numbers stay unknown, or as old as they were.
    for (FactColumn absent :
        List.of(
            FactColumn.SERVICE_TIME_SMALL, FactColumn.SERVICE_TIME_LARGE, FactColumn.WORK_AHEAD)) {
      assertThat(state.ageNanos(absent, 0, 9)).as(absent.name()).isEqualTo(ClusterView.NEVER);
    }
    assertThat(state.ageNanos(FactColumn.SERVICE_TIME, 0, 9)).isEqualTo(4);
    // Half a number is not a shorter fact.
    assertThat(FACTS.decode(new byte[] {1, 1, 2, 2, 42, -1}, state, 0, 6)).isFalse();
    assertThat(state.value(FactColumn.SERVICE_TIME, 0)).isEqualTo(42);
    assertThat(state.ageNanos(FactColumn.SERVICE_TIME, 0, 9)).isEqualTo(4);
  }

  @Test
  void factsOutOfRangeCountAsTheMaximum() {
    ClusterState state = new ClusterState(1, 1);
    assertThat(FACTS.decode(extreme(), state, 0, 0)).isTrue();
    for (Fact fact : Fact.ALL) {
      for (FactColumn column : fact.columns()) {
        assertThat(state.value(column, 0)).as(column.name()).isEqualTo(column.most());
      }
    }
  }

  /** Every fact with the largest numbers that the wire form can hold. */
  public static byte[] extreme() {
    byte[] bytes = new byte[256];
    bytes[0] = Facts.VERSION;
    int at = Varints.put(bytes, 1, Fact.ALL.size());
    for (Fact fact : Fact.ALL) {
      at = Varints.put(bytes, at, fact.id());
      at = Varints.put(bytes, at, fact.columns().size() * Varints.MAX_BYTES);
      for (int i = 0; i < fact.columns().size(); i++) {
        at = Varints.put(bytes, at, Long.MAX_VALUE);
      }
    }
    return Arrays.copyOf(bytes, at);
  }

  @Test
  void truncatedAndForeignFactsLeaveTheStateAlone() {
    byte[] good = FACTS.encode(load());
    ClusterState state = new ClusterState(1, 1);
    for (int length = 0; length < good.length; length++) {
      assertThat(FACTS.decode(Arrays.copyOf(good, length), state, 0, 0)).as("%d", length).isFalse();
    }
    assertThat(FACTS.decode(Arrays.copyOf(good, good.length + 1), state, 0, 0)).isFalse();
    byte[] foreign = good.clone();
    foreign[0] = 2;
    assertThat(FACTS.decode(foreign, state, 0, 0)).isFalse();
    assertThat(values(state, 0)).containsOnly(0);
  }

  @Test
  void garbageNeverThrowsAndARefusalTouchesNothing() {
    for (long seed = 0; seed < 20_000; seed++) {
      byte[] bytes = garbage(seed, FACTS.encode(load()));
      ClusterState state = new ClusterState(1, 1);
      if (!FACTS.decode(bytes, state, 0, 0)) {
        assertThat(values(state, 0)).as("seed %d", seed).containsOnly(0);
      }
      for (long value : values(state, 0)) {
        assertThat(value).as("seed %d", seed).isNotNegative();
      }
      Tag tag = new Tag();
      byte[] tagBytes = garbage(seed, TagCodec.encode(planned(Unit.NANOS, true), 0, 77));
      if (TagCodec.decode(tagBytes, Unit.NANOS, tag)) {
        assertThat(tag.priority).as("seed %d", seed).isNotNegative();
        assertThat(tag.slack).as("seed %d", seed).isNotNegative();
        assertThat(tag.costNanos).as("seed %d", seed).isNotNegative();
      } else {
        assertThat(tag.priority + tag.slack + tag.costNanos + tag.requestId)
            .as("seed %d", seed)
            .isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Unit.class)
  void tagsTravelInTheirUnit(Unit unit) {
    byte[] bytes = TagCodec.encode(planned(unit, true), 0, 1L << 62);
    Tag tag = new Tag();
    assertThat(TagCodec.decode(bytes, unit, tag)).isTrue();
    assertThat(tag.unit).isEqualTo(unit);
    assertThat(tag.priority).isEqualTo(9_000);
    assertThat(tag.slack).isEqualTo(4_000);
    assertThat(tag.costNanos).isEqualTo(2_000);
    assertThat(tag.requestId).isEqualTo(1L << 62);
    for (Unit other : Unit.values()) {
      assertThat(TagCodec.decode(bytes, other, tag)).isEqualTo(other == unit);
    }
  }

  @Test
  void tagsOfForeignVersionsAndTruncatedOnesCountAsAbsent() {
    byte[] good = TagCodec.encode(planned(Unit.NANOS, true), 0, 5);
    for (int length = 0; length < good.length; length++) {
      assertThat(TagCodec.decode(Arrays.copyOf(good, length), Unit.NANOS, new Tag())).isFalse();
    }
    byte[] foreign = good.clone();
    foreign[0] = 2;
    assertThat(TagCodec.decode(foreign, Unit.NANOS, new Tag())).isFalse();
    // A tag with more numbers is a new version; without a new version byte it is malformed.
    byte[] longer = Arrays.copyOf(good, good.length + 1);
    assertThat(TagCodec.decode(longer, Unit.NANOS, new Tag())).isFalse();
    assertThat(TagCodec.decode(null, Unit.NANOS, new Tag())).isFalse();
  }

  @Test
  void requestIdTravelsOnlyForLongestFirstAndTagsOnlyIfPlanned() {
    Tag tag = new Tag();
    TagCodec.decode(TagCodec.encode(planned(Unit.NANOS, false), 0, 5), Unit.NANOS, tag);
    assertThat(tag.requestId).isZero();
    Request untagged = planned(Unit.NANOS, true);
    untagged.finish(false, Unit.NANOS, 1);
    assertThat(TagCodec.encode(untagged, 0, 5)).isNull();
  }

  @Test
  void numbersOfEverySizeTravel() {
    byte[] bytes = new byte[Varints.MAX_BYTES];
    for (int shift = 0; shift < 63; shift++) {
      for (long value : new long[] {1L << shift, (1L << shift) - 1, Long.MAX_VALUE >>> shift}) {
        int end = Varints.put(bytes, 0, value);
        assertThat(Varints.size(value)).isEqualTo(end);
        assertThat(new Varints.Reader(bytes).number()).isEqualTo(value);
      }
    }
  }

  @Test
  void localLoadReturnsToZero() {
    LocalLoad load = load();
    load.dropped(300);
    load.failed();
    assertThat(load.pendingReads()).isZero();
    assertThat(load.workAheadNanos()).isZero();
  }

  /** One read waits with cost 300, one runs, two were served: 10 small and 60 large. */
  private static LocalLoad load() {
    LocalLoad load = new LocalLoad(0.9);
    for (long cost : new long[] {10, 60, 5, 300}) {
      load.enqueued(cost);
    }
    load.started(10);
    load.finished(false, 10, 10, 10);
    load.started(60);
    load.finished(true, 70, 60, 60);
    load.started(5);
    load.coresInUse(0.813);
    return load;
  }

  private static long[] values(ClusterState state, int node) {
    return Arrays.stream(FactColumn.values()).mapToLong(c -> state.value(c, node)).toArray();
  }

  private static Request planned(Unit unit, boolean longestFirst) {
    Request request = new Request();
    request.begin(0, new SplittableRandom(1), 1);
    request.addRead(null, 0, 1);
    request.forecast(0, 0, 2_000, 0);
    request.prioritise(0, 9_000, 4_000);
    request.longestFirst(longestFirst);
    request.finish(true, unit, 9_000);
    return request;
  }

  /** A good message with bytes changed and cut, or noise. */
  private static byte[] garbage(long seed, byte[] good) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length + 8));
    int changes = random.nextInt(4);
    for (int i = 0; i < changes && bytes.length > 0; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    if (random.nextInt(4) == 0) {
      random.nextBytes(bytes);
    }
    return bytes;
  }
}
