/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.read.StageLoad.Kind;
import dev.manx.cassandra.read.StageLoad.Waits;
import dev.manx.policy.strategy.Presets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads without tags together with multigets with tags, at a read stage of two threads in virtual
 * time: none starves, and none overtakes unfairly.
 */
@Tag("slow")
class ReadStageFairnessTest {
  private static final long END = 60_000 * StageLoad.MILLI;
  private static final String FIFO = "strategy: { order: order.fifo }";
  private static final String BOTTLENECK =
      "strategy: { order: order.bottleneck, fanout: fanout.brb-equalmax, facts: [service-time] }";
  private static final String DEFAULT = Presets.find("manx").orElseThrow().document();

  @BeforeAll
  static void schema() {
    TestSchema.load();
  }

  private static String document(String order) {
    return order.equals("manx") ? DEFAULT : BOTTLENECK;
  }

  private static Map<Kind, Waits> run(String strategy, Consumer<StageLoad> begin) throws Exception {
    StageLoad load = new StageLoad(strategy);
    begin.accept(load);
    Map<Kind, Waits> waits = load.until(END);
    waits.forEach((kind, each) -> System.out.printf("%s %s: %s%n", strategy, kind, each));
    return waits;
  }

  @ParameterizedTest
  @CsvSource({"SCAN, bottleneck", "SCAN, manx", "SYSTEM, bottleneck", "SYSTEM, manx"})
  void aStreamOfReadsWithoutARankNeitherStarvesMultigetsNorIsStarved(Kind kind, String order)
      throws Exception {
    Consumer<StageLoad> load =
        stage -> {
          stage.closed(kind, 24);
          stage.open(Kind.MULTIGET, 100);
        };
    Map<Kind, Waits> arrival = run(FIFO, load);
    Map<Kind, Waits> ordered = run(document(order), load);
    assertThat(ordered.get(Kind.MULTIGET).meanMillis())
        .isLessThan(1.1 * arrival.get(Kind.MULTIGET).meanMillis());
    assertThat(ordered.get(kind).meanMillis()).isLessThan(1.1 * arrival.get(kind).meanMillis());
  }

  @ParameterizedTest
  @CsvSource({"0.9, bottleneck", "1.1, bottleneck", "0.9, manx", "1.1, manx"})
  void aLoginWaitsNoLongerThanInArrivalOrder(double utilisation, String order) throws Exception {
    Consumer<StageLoad> load =
        stage -> {
          stage.open(Kind.SYSTEM, 20);
          stage.open(Kind.UNTAGGED, 400 * utilisation);
          stage.open(Kind.MULTIGET, 1_580 / 6.2 * utilisation);
        };
    Map<Kind, Waits> arrival = run(FIFO, load);
    Map<Kind, Waits> ordered = run(document(order), load);
    assertThat(ordered.get(Kind.SYSTEM).meanMillis())
        .isLessThan(1.02 * arrival.get(Kind.SYSTEM).meanMillis());
    assertThat(ordered.get(Kind.SYSTEM).late())
        .isLessThanOrEqualTo(arrival.get(Kind.SYSTEM).late());
  }

  @ParameterizedTest
  @CsvSource({"0.9, bottleneck", "1.1, bottleneck", "0.9, manx", "1.1, manx"})
  void readsWithoutATagWaitNoLongerThanInArrivalOrder(double utilisation, String order)
      throws Exception {
    // Of two threads' 2,000 ms a second: 600 of scans, 400 untagged, the rest multigets of 6.2
    // reads.
    Consumer<StageLoad> load =
        stage -> {
          stage.open(Kind.SCAN, 200 * utilisation);
          stage.open(Kind.UNTAGGED, 400 * utilisation);
          stage.open(Kind.MULTIGET, 1_000 / 6.2 * utilisation);
        };
    Map<Kind, Waits> arrival = run(FIFO, load);
    Map<Kind, Waits> ordered = run(document(order), load);
    for (Kind kind : List.of(Kind.SCAN, Kind.UNTAGGED, Kind.MULTIGET)) {
      assertThat(ordered.get(kind).meanMillis())
          .as(kind.name())
          .isLessThan(1.1 * arrival.get(kind).meanMillis());
    }
    assertLateAsInArrivalOrder(ordered, arrival);
  }

  /**
   * Reads without a tag are too late no more often than in arrival order. Beyond saturation {@code
   * order.boost} lets the widest multigets wait for all others: more of these are too late, but
   * hardly fewer are in time.
   */
  private static void assertLateAsInArrivalOrder(
      Map<Kind, Waits> ordered, Map<Kind, Waits> arrival) {
    for (Kind kind : Kind.values()) {
      if (kind != Kind.MULTIGET) {
        assertThat((double) ordered.get(kind).late())
            .as(kind.name())
            .isLessThanOrEqualTo(1.02 * arrival.get(kind).late());
      }
    }
    Waits multigets = ordered.get(Kind.MULTIGET);
    assertThat((double) multigets.inTime())
        .isGreaterThanOrEqualTo(0.98 * arrival.get(Kind.MULTIGET).inTime());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.5, 0.7, 0.9})
  void requestsWithoutTagsWaitNoLongerThanIfNoNodeHadManx(double utilisation) throws Exception {
    double perSecond = 2_000 / 6.2 * utilisation;
    Map<Kind, Waits> stock = run(FIFO, stage -> stockRequests(stage, perSecond));
    Consumer<StageLoad> mixed =
        stage -> {
          stockRequests(stage, perSecond / 3);
          stage.open(Kind.MULTIGET, perSecond * 2 / 3);
        };
    Map<Kind, Waits> arrival = run(FIFO, mixed);
    Map<Kind, Waits> ordered = run(DEFAULT, mixed);
    for (Kind kind : List.of(Kind.PAGED, Kind.UNPAGED)) {
      assertThat(ordered.get(kind).meanMillis())
          .as(kind.name())
          .isLessThan(1.25 * stock.get(kind).meanMillis());
    }
    assertThat(ordered.get(Kind.MULTIGET).meanMillis())
        .isLessThan(1.1 * arrival.get(Kind.MULTIGET).meanMillis());
  }

  /** Half of the requests paged. */
  private static void stockRequests(StageLoad stage, double perSecond) {
    stage.open(Kind.PAGED, perSecond / 2);
    stage.open(Kind.UNPAGED, perSecond / 2);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.7, 0.9, 1.1})
  void requestsWithoutTagsNeitherStarveOthersNorAddToAnOverload(double utilisation)
      throws Exception {
    Consumer<StageLoad> load =
        stage -> {
          stage.open(Kind.SCAN, 200 * utilisation);
          stockRequests(stage, 400 / 6.2 * utilisation);
          stage.open(Kind.MULTIGET, 1_000 / 6.2 * utilisation);
        };
    Map<Kind, Waits> arrival = run(FIFO, load);
    Map<Kind, Waits> ordered = run(DEFAULT, load);
    for (Kind kind : List.of(Kind.SCAN, Kind.PAGED, Kind.UNPAGED, Kind.MULTIGET)) {
      assertThat(ordered.get(kind).meanMillis())
          .as(kind.name())
          .isLessThan(1.1 * arrival.get(kind).meanMillis());
    }
    assertLateAsInArrivalOrder(ordered, arrival);
    if (utilisation > 1) {
      assertThat(ordered.get(Kind.MULTIGET).meanMillis())
          .as("most multigets stay fast")
          .isLessThan(arrival.get(Kind.MULTIGET).meanMillis() / 2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 32, 200})
  void aStreamOfReadsWithoutTagsStarvesNoMultigets(int clients) throws Exception {
    Consumer<StageLoad> load =
        stage -> {
          stage.closedReads(clients);
          stage.open(Kind.MULTIGET, 30);
        };
    Map<Kind, Waits> arrival = run(FIFO, load);
    Map<Kind, Waits> ordered = run(DEFAULT, load);
    assertThat(ordered.get(Kind.UNPAGED).meanMillis())
        .isLessThan(1.1 * arrival.get(Kind.UNPAGED).meanMillis());
    // At least every second read is a multiget's while one waits.
    assertThat(ordered.get(Kind.MULTIGET).meanMillis())
        .isLessThan(1.75 * arrival.get(Kind.MULTIGET).meanMillis());
  }

  /** The preset chooses its own bound, which is shorter on a node with a short time-out. */
  @Test
  void noReadIsOvertakenForHalfOfTheReadTimeout() throws Exception {
    long before = DatabaseDescriptor.getReadRpcTimeout(TimeUnit.MILLISECONDS);
    try {
      assertThat(cuts()).as("2 s, Cassandra's time-out is 5 s").isZero();
      DatabaseDescriptor.setReadRpcTimeout(100);
      assertThat(cuts()).as("50 ms").isPositive();
    } finally {
      DatabaseDescriptor.setReadRpcTimeout(before);
    }
  }

  @Test
  void aTimeoutLoweredWhileReadsWaitShortensTheBound() throws Exception {
    long before = DatabaseDescriptor.getReadRpcTimeout(TimeUnit.MILLISECONDS);
    try {
      StageLoad load = new StageLoad(DEFAULT);
      load.open(Kind.MULTIGET, 1_800 / 6.2);
      DatabaseDescriptor.setReadRpcTimeout(100);
      load.until(END / 2);
      assertThat(load.cuts()).as("2 s").isZero();
      load.stage().lookAtOrder();
      load.until(END);
      assertThat(load.cuts()).as("50 ms").isPositive();
    } finally {
      DatabaseDescriptor.setReadRpcTimeout(before);
    }
  }

  private static long cuts() throws Exception {
    StageLoad load = new StageLoad(DEFAULT);
    load.open(Kind.MULTIGET, 1_800 / 6.2);
    load.until(END);
    return load.cuts();
  }
}
