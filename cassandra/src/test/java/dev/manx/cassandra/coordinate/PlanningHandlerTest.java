/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.TestSelect;
import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.metrics.Pressure;
import dev.manx.cassandra.metrics.RequestLatency;
import dev.manx.cassandra.nodes.KeyHash;
import dev.manx.cassandra.nodes.ReadPart;
import dev.manx.cassandra.record.EngineLog;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.cassandra.record.RecordingSwitch;
import dev.manx.cassandra.record.TestLogs;
import dev.manx.cassandra.wire.SizeLearner;
import dev.manx.policy.Request;
import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.LogLine;
import dev.manx.policy.record.RequestEnd;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The keys and bytes that a request has in flight, and the statements that lose their paging. */
@Timeout(60)
class PlanningHandlerTest extends SentStatements {
  private static final String IN = "SELECT * FROM ks.plain WHERE k IN ?";

  /** The oracle forecasts at most 64 KiB, and 1 KiB for an unknown key. */
  @Test
  void whileLittleIsInFlightKeysCountAsTheLargest() {
    send(calm("strategy: manx"), IN, 100, TestSchema.list(1, 9));
    reaches(-1, 9, 9 * 65_536);
    send(calm("strategy: manx"), "SELECT * FROM ks.plain WHERE k IN (1, 2, 3)", 100);
    reaches(-1, 3, 3 * 65_536);
  }

  @Test
  void whenMoreIsInFlightKeysCountAsForecast() {
    assertThat(inFlight.enter(KEYS / 4, 1)).isTrue();
    send(calm("strategy: manx"), IN, 100, TestSchema.list(1, 9));
    assertThat(bytesThen).containsExactly(1 + 9 * 1_024L);
    inFlight.leave(KEYS / 4, 1);
    bytesThen.set(0, 9L);
    keysThen.set(0, 9L);
    reaches(-1, 9, 9);
  }

  /** A large photo is no reason to page a multiget of names. */
  @Test
  void onlyTheSizesOfTheColumnsThatAreReadCount() {
    Engine engine = calm("strategy: manx");
    TableMetadata users = TestSchema.select("SELECT * FROM ks.users WHERE id = 1").table;
    for (int id = 1; id <= 200; id++) {
      ByteBuffer key = Int32Type.instance.decompose(id);
      long hash = KeyHash.of(users, users.partitioner.getToken(key), key, ReadPart.ofWrite(users));
      SizeLearner.learn(engine, key, hash, 100 << 10);
    }
    assertThat(inFlight.enter(KEYS / 4, 1)).isTrue();
    send(engine, "SELECT * FROM ks.users WHERE id IN ?", 250, TestSchema.list(1, 200));
    send(engine, "SELECT id, name FROM ks.users WHERE id IN ?", 250, TestSchema.list(1, 200));
    assertThat(reached).extracting(QueryOptions::getPageSize).containsExactly(250, -1);
    assertThat(bytesThen).containsExactly(1L, 1 + 200 * 1_024L);
  }

  /**
   * Otherwise requests of the control group would be acted on, and the canary would compare
   * nothing.
   */
  @Test
  void theCanaryIsDrawnOnceForEachRequest() {
    Engine engine = calm("strategy: manx");
    engine.measures().canary(CanaryConfig.parse("test", "{ tables: [ks.plain], share: 50% }"));
    int followed = 0;
    for (int request = 0; request < 64 * Sample.USUAL; request++) {
      long acted = acted(engine);
      long control = control(engine);
      home.clear();
      send(engine, IN, 100, TestSchema.list(1, 9));
      boolean isFollowed = acted(engine) + control(engine) > acted + control;
      if (isFollowed && !ThreadPlan.current().isStocks()) {
        assertThat(home).containsExactly(acted(engine) > acted);
        followed++;
      }
    }
    assertThat(followed).isEqualTo(48);
  }

  /** Of all requests of a calm node, one in 256 goes where stock sends it. */
  @Test
  void whileAllIsCalmRequestsInStocksOrderAreNotRecordedAsActedOn() {
    Engine engine = calm("strategy: manx");
    for (int request = 0; request < 64 * Sample.USUAL; request++) {
      long acted = acted(engine);
      send(engine, IN, 100, TestSchema.list(1, 9));
      if (acted(engine) > acted) {
        assertThat(ThreadPlan.current().isStocks()).isFalse();
      }
    }
    assertThat(acted(engine)).as("in the rows of the table and of all tables").isEqualTo(2 * 48);
    assertThat(control(engine)).isZero();
  }

  /** Otherwise a table's requests per second would rise fourfold after a start. */
  @Test
  void aFollowedRequestCountsAsOftenAsTheRequestsThatItRepresents(@TempDir Path folder)
      throws Exception {
    Sample any = new Sample(1, 0);
    while (!ThreadPlan.current().isSampled(any, () -> 7)) {
      assertThat(ThreadPlan.current().isStocks()).isFalse();
    }
    RecordingSwitch recorder = recorder(folder);
    Engine engine = TestEngines.calm("strategy: manx", () -> 7, recorder);
    recorder.set("requests");
    PlanningHandler handler =
        new PlanningHandler(
            () -> engine,
            () -> QueryProcessor.instance,
            inFlight,
            table -> true,
            new Sample(12 * 9, 0));
    for (int request = 0; request < 12 * Sample.FIRST + 4 * Sample.USUAL; request++) {
      handler.processPrepared(
          new Executed(IN, null),
          state,
          TestSchema.options(100, TestSchema.list(1, 9)),
          null,
          null);
    }
    assertThat(engine.counters().get(Counter.REQUESTS_FOLLOWED)).isEqualTo(16);
    // Of four, one keeps stock's order and is not recorded.
    List<Integer> weights = new ArrayList<>();
    for (LogLine end : TestLogs.ended(recorder, DecisionLog.REQUEST)) {
      weights.add(RequestEnd.read(end).weight());
    }
    assertThat(weights).hasSize(12);
    assertThat(weights.subList(0, 9)).as("16 * 4 / 3").allMatch(each -> each == 21 || each == 22);
    assertThat(weights.subList(9, 12)).as("64 * 4 / 3").allMatch(each -> each == 85 || each == 86);
  }

  /** Their places are left to requests that teach something. */
  @Test
  void requestsThatCannotBeFollowedTakeNoPlaceInTheSample() {
    Engine engine = calm("strategy: manx");
    Sample sample = new Sample(4, 0);
    PlanningHandler handler =
        new PlanningHandler(
            () -> engine, () -> QueryProcessor.instance, inFlight, table -> true, sample);
    for (int request = 0; request < 64 * 4; request++) {
      handler.processPrepared(
          new Executed("SELECT * FROM ks.plain", null), state, TestSchema.options(100), null, null);
    }
    assertThat(engine.counters().get(Counter.REQUESTS_FOLLOWED)).isZero();
    assertThat(engine.counters().get(Counter.REQUESTS_CALM)).isEqualTo(64 * 4);
    assertThat(sample.firstLeft()).isEqualTo(4);
  }

  /** Reads at home delay its other keys only if all are sent together. */
  @Test
  void whetherTheKeysOfAMultigetAreSentTogetherIsKnownForThoseWhoseReadsStayAtHome() {
    Engine engine = calm("strategy: manx");
    for (int request = 0; request < 8; request++) {
      send(engine, IN, 5, TestSchema.list(1, 9));
      send(engine, IN, 100, TestSchema.list(1, 9));
      send(engine, IN, -1, TestSchema.list(1, 9));
    }
    for (int sent = 0; sent < home.size(); sent++) {
      if (home.get(sent)) {
        assertThat(together.get(sent)).as("statement %d", sent % 3).isEqualTo(sent % 3 != 0);
      }
    }
    assertThat(home).contains(true);
    assertThat(engine.counters().get(Counter.FAULTS)).isZero();
  }

  /**
   * Their pages are read one after another, as long as the plan would be open. They are followed
   * nevertheless, as a part of the load.
   */
  @Test
  void anAggregateIsNotPlanned() {
    Engine engine = busy("strategy: manx");
    assertThat(asked(engine, "SELECT * FROM ks.plain WHERE k = 1").planned()).isTrue();
    assertThat(asked(engine, "SELECT count(*) FROM ks.plain WHERE k = 1").planned()).isFalse();
    assertThat(asked(engine, "SELECT count(*) FROM ks.plain WHERE k IN (1, 2)")).isNull();
    send(engine, "SELECT count(*) FROM ks.plain WHERE k = 1", 100);
    assertThat(acted(engine)).as("in the rows of the table and of all tables").isEqualTo(2);
  }

  /** Readers of the log must be able to tell it from a request whose plan is missing. */
  @Test
  void theEndOfAnAggregateIsLoggedAsNotPlanned(@TempDir Path folder) throws Exception {
    RecordingSwitch recorder = recorder(folder);
    Engine engine = TestEngines.recording("strategy: manx", () -> 7, Mode.SHADOW, recorder);
    recorder.set("requests");
    send(engine, "SELECT count(*) FROM ks.plain WHERE k = 1", 100);
    assertThat(TestLogs.ended(recorder, DecisionLog.REQUEST))
        .singleElement()
        .satisfies(
            end -> {
              assertThat(end.text("u")).isEqualTo("1");
              assertThat(RequestEnd.read(end).planned()).isFalse();
            });
  }

  /** In mode on the log does not tell which multigets stock read one after another. */
  @Test
  void onlyShadowModeLogsThatKeysWereReadOneAfterAnother(@TempDir Path folder) throws Exception {
    assertThat(inFlight.enter(KEYS - 8, 1)).isTrue();
    for (Mode mode : new Mode[] {Mode.SHADOW, Mode.ON}) {
      RecordingSwitch recorder = recorder(folder.resolve(mode.name()));
      Engine engine = TestEngines.recording("strategy: manx", () -> 7, mode, recorder);
      recorder.set("requests");
      send(engine, IN, 100, TestSchema.list(1, 9));
      assertThat(TestLogs.ended(recorder, DecisionLog.REQUEST))
          .as("%s", mode)
          .singleElement()
          .satisfies(
              end -> assertThat(RequestEnd.read(end).paged()).isEqualTo(mode == Mode.SHADOW));
    }
    assertThat(reached).extracting(QueryOptions::getPageSize).containsExactly(100, 100);
  }

  private static RecordingSwitch recorder(Path folder) {
    return TestEngines.recorder(new RecordConfig(false, folder.resolve("log"), 1 << 20, 1));
  }

  /** Otherwise a gain would be predicted that this node's limit prevents. */
  @Test
  void aPlanInShadowModeOfAMultigetThatWouldStayPagedSaysSo(@TempDir Path folder) throws Exception {
    RecordingSwitch recorder = recorder(folder);
    Engine engine = TestEngines.recording("strategy: rein", () -> 7, Mode.SHADOW, recorder);
    engine.measures().answerBytes().add(3_000_000);
    recorder.set("requests");
    for (int keys : new int[] {5, 6}) {
      planned(engine, keys, true);
      planned(engine, keys, false);
    }
    assertThat(TestLogs.ended(recorder, DecisionLog.PLAN))
        .extracting(line -> line.text("p"))
        .as("5 keys, paged by the driver or not, and 6 of more than a quarter of 64 MiB")
        .containsExactly("1", "", "2", "");
    assertThat(inFlight.keys() + inFlight.bytes()).as("nothing is reserved").isZero();
  }

  private void planned(Engine engine, int keys, boolean unpages) {
    ThreadPlan plan = ThreadPlan.current();
    EngineLog.Plan record = engine.log().plan();
    Request request = plan.request();
    request.begin(7, record.random(), 16);
    for (int key = 0; key < keys; key++) {
      plan.token(request.addRead(null, key, 1), new Murmur3Partitioner.LongToken(key), null);
      request.addReplica(1, 0);
    }
    Planner.planFilled(engine, plan, record, inFlight, unpages, false);
    plan.close();
  }

  /** Only functions of the key would be evaluated, before Cassandra has checked the client. */
  @Test
  void functionsOfOtherColumnsDoNotLeaveAStatementToStock() {
    TestSchema.keyed("timeuuid");
    Engine busy = busy("strategy: manx");
    assertThat(asked(busy, "SELECT * FROM ks.timed WHERE k = 1 AND c > now()").planned()).isTrue();
    assertThat(asked(busy, "SELECT * FROM ks.of_timeuuid WHERE k = now()")).isNull();
    assertThat(asked(busy, "SELECT * FROM ks.timed WHERE k = 1 AND token(k) > 0")).isNull();
    for (Engine engine : List.of(calm("strategy: manx"), busy)) {
      send(
          engine,
          "SELECT * FROM ks.timed WHERE k IN ? AND c = minTimeuuid(?)",
          100,
          TestSchema.list(1, 2),
          TimestampType.instance.decompose(new Date(7)));
      reaches(-1, 2, 2 * 65_536);
    }
  }

  /** A strategy that acts without queues tracks all requests, but reads need not wait. */
  @Test
  void thePressureDoesNotDependOnTheStrategy() {
    Engine engine = calm("strategy: { select: select.random }");
    assertThat(engine.standsAside()).isFalse();
    send(engine, "SELECT * FROM ks.plain WHERE k = 1", 100);
    assertThat(engine.measures().requests().rows())
        .as("of all tables and of the table")
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.pressure()).isEqualTo(Pressure.CALM));
  }

  private static void withoutManx(Engine engine) {
    long later = 2_000_000_000L;
    engine.signs().silent(3, 0);
    engine.signs().silent(3, later);
    engine.signs().look(List.of(), List.of(3), later);
    assertThat(engine.signs().anyWithout(false)).isTrue();
  }

  /** They are stock's; in a canary, those of the control group are left out as well. */
  @Test
  void multigetsThatStayPagedNextToANodeWithoutManxAreNotCompared() {
    Engine engine = busy("strategy: manx");
    withoutManx(engine);
    for (String canary : List.of("100%", "50%")) {
      engine.measures().canary(CanaryConfig.parse("test", canary));
      for (int request = 0; request < 64; request++) {
        send(engine, IN, 100, TestSchema.list(1, 9));
      }
      assertThat(acted(engine)).as(canary).isZero();
      assertThat(control(engine)).as(canary).isZero();
    }
    assertThat(reached).allMatch(options -> options.getPageSize() == 100);
    send(engine, "SELECT * FROM ks.plain WHERE k = 1", 100);
    assertThat(acted(engine) + control(engine)).as("all and the table").isEqualTo(2);
  }

  @Test
  void multigetsBeyondTheKeysInFlightAreNotCompared() {
    Engine engine = busy("strategy: manx");
    engine.measures().canary(CanaryConfig.parse("test", "50%"));
    assertThat(inFlight.enter(KEYS - 8, 1)).isTrue();
    for (int request = 0; request < 64; request++) {
      send(engine, IN, 100, TestSchema.list(1, 9));
    }
    assertThat(engine.counters().get(Counter.REQUESTS_OVER_LIMIT)).isPositive();
    assertThat(acted(engine)).isZero();
    assertThat(control(engine)).isZero();
    inFlight.leave(KEYS - 8, 1);
    for (int request = 0; request < 64; request++) {
      send(engine, IN, 100, TestSchema.list(1, 9));
    }
    assertThat(acted(engine)).isPositive();
    assertThat(control(engine)).isPositive();
    assertThat(acted(engine) + control(engine)).isEqualTo(2 * 64);
  }

  @Test
  void multigetsOfTablesWithoutATimerAreNotCompared() {
    for (Engine engine : List.of(calm("strategy: manx"), busy("strategy: manx"))) {
      engine.measures().canary(CanaryConfig.parse("test", "50%"));
      PlanningHandler handler =
          new PlanningHandler(
              () -> engine, () -> QueryProcessor.instance, inFlight, table -> false, USUAL);
      for (int request = 0; request < 16 * Sample.USUAL; request++) {
        handler.processPrepared(
            new Executed(IN, null),
            state,
            TestSchema.options(100, TestSchema.list(1, 9)),
            null,
            null);
      }
      assertThat(acted(engine)).isZero();
      assertThat(control(engine)).isZero();
    }
    assertThat(reached).allMatch(options -> options.getPageSize() == 100);
  }

  /** Cassandra sorts the rows of all keys before it applies a LIMIT, and refuses to page them. */
  @Test
  void anOrderedMultigetIsLeftToStockIfItsClientPages() {
    Engine busy = busy("strategy: manx");
    for (String cql :
        List.of(
            "SELECT * FROM ks.many WHERE k IN (1, 2) ORDER BY c LIMIT 5",
            "SELECT * FROM ks.many WHERE k IN (1, 2) AND c = 1 ORDER BY c")) {
      assertThat(asked(busy, cql, TestSchema.options(100))).as(cql).isNull();
      assertThat(asked(busy, cql, TestSchema.options(-1))).as(cql).isNotNull();
    }
    String unordered = "SELECT * FROM ks.many WHERE k IN (1, 2) LIMIT 5";
    assertThat(asked(busy, unordered, TestSchema.options(100))).isNotNull();
  }

  private Asked asked(Engine engine, String cql) {
    return asked(engine, cql, QueryOptions.DEFAULT);
  }

  private Asked asked(Engine engine, String cql, QueryOptions options) {
    return Asked.keyed(engine, TestSchema.select(cql), options, state.getClientState(), true);
  }

  private static long acted(Engine engine) {
    return engine.measures().requests().rows().stream().mapToLong(row -> row.acted().count()).sum();
  }

  private static long control(Engine engine) {
    return engine.measures().requests().rows().stream()
        .mapToLong(row -> row.control().count())
        .sum();
  }

  /** A statement that fails when it is executed. */
  private static final class Failing extends TestSelect {
    private final RuntimeException failure;

    Failing(RuntimeException failure) {
      super(TestSchema.select(IN));
      this.failure = failure;
    }

    @Override
    public void authorize(ClientState client) {}

    @Override
    public ResultMessage.Rows execute(
        QueryState client, QueryOptions options, Dispatcher.RequestTime requestTime) {
      throw failure;
    }
  }

  private void fails(Engine engine, RuntimeException failure) {
    assertThatThrownBy(() -> send(engine, new Failing(failure), 100, TestSchema.list(1, 9)))
        .isSameAs(failure);
  }

  /** Otherwise a canary whose requests fail at once looks like one that makes them fast. */
  @Test
  void aFailureIsCountedAndIsNoLatency() {
    Engine engine = busy("strategy: manx");
    send(engine, IN, 100, TestSchema.list(1, 9));
    assertThat(acted(engine)).isEqualTo(2);
    fails(engine, new ReadFailureException(ConsistencyLevel.ONE, 0, 1, false, Map.of()));
    fails(engine, new IllegalStateException("a fault of stock"));
    assertThat(acted(engine)).as("all and the table").isEqualTo(2);
    fails(engine, new ReadTimeoutException(ConsistencyLevel.ONE, 0, 1, false));
    assertThat(acted(engine)).isEqualTo(4);
    assertThat(engine.measures().requests().rows())
        .hasSize(2)
        .allSatisfy(
            row -> {
              assertThat(row.actedFailures()).isEqualTo(new RequestLatency.Failures(1, 2));
              assertThat(row.controlFailures()).isEqualTo(new RequestLatency.Failures(0, 0));
            });
  }

  @Test
  void aMultigetWiderThanItsPageKeepsIt() {
    send(calm("strategy: manx"), IN, 8, TestSchema.list(1, 9));
    reaches(8, 0, 0);
  }

  /** 16 KiB until answers were seen; a request may have a quarter of the bytes. */
  @Test
  void withoutAnOracleKeysCountAsTheMeanAnswer() {
    for (Engine engine : List.of(calm("strategy: rein"), busy("strategy: rein"))) {
      assertThat(engine.strategy().sizes()).isNull();
      send(engine, IN, 100, TestSchema.list(1, 9));
      reaches(-1, 9, 9 * 16_384);
      engine.measures().answerBytes().add(3_000_000);
      send(engine, IN, 100, TestSchema.list(1, 5));
      reaches(-1, 5, 15_000_000);
      send(engine, IN, 100, TestSchema.list(1, 6));
      reaches(100, 0, 0);
      assertThat(engine.counters().get(Counter.REQUESTS_OVER_LIMIT)).isEqualTo(1);
    }
  }

  @Test
  void aProductOfListsIsNotBuilt() {
    ByteBuffer list = TestSchema.list(0, 2_000);
    String product = "SELECT * FROM ks.pair WHERE a IN ? AND b IN ?";
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (Engine engine : List.of(calm("strategy: manx"), busy("strategy: manx"))) {
      send(engine, product, 100, TestSchema.list(1, 2), TestSchema.list(1, 2));
      reaches(-1, 4, 4 * 65_536);
      long before = threads.getCurrentThreadAllocatedBytes();
      send(engine, product, 100, list, list);
      assertThat(threads.getCurrentThreadAllocatedBytes() - before)
          .as("four million keys")
          .isLessThan(10_000_000);
      reaches(100, 0, 0);
    }
  }

  /** No list is evaluated to determine which lists are the keys. */
  @Test
  void listsInTheTextAreNotMultipliedBesideListsThatGiveNoKeys() {
    String numbers = IntStream.range(0, 2_000).mapToObj(String::valueOf).collect(joining(","));
    String product =
        "SELECT (list<int>) ?, (list<int>) ? FROM ks.pair WHERE a IN (%s) AND b IN (%s)"
            .formatted(numbers, numbers);
    SelectStatement select = new Executed(product, null);
    ByteBuffer one = TestSchema.list(1, 1);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (Engine engine : List.of(calm("strategy: manx"), busy("strategy: manx"))) {
      send(engine, "SELECT * FROM ks.pair WHERE a IN (1) AND b IN (2)", 100);
      reached.clear();
      keysThen.clear();
      bytesThen.clear();
      long before = threads.getCurrentThreadAllocatedBytes();
      send(engine, select, 100, one, one);
      assertThat(threads.getCurrentThreadAllocatedBytes() - before)
          .as("four million keys")
          .isLessThan(1_000_000);
      reaches(100, 0, 0);
    }
  }

  /** It would come in a page of two rows, after four concurrent reads that count as two. */
  @Test
  void aListThatIsNamedLikeTheKeysDoesNotTakeOffThePaging() {
    String four = "SELECT * FROM ks.listed WHERE k IN (1, 2, 3, 4) AND c = :\"in(k)\"";
    for (Engine engine : List.of(calm("strategy: manx"), busy("strategy: manx"))) {
      send(engine, four, 2, TestSchema.list(1, 2));
      reaches(2, 0, 0);
      send(engine, four, 4, TestSchema.list(1, 2));
      reaches(-1, 4, 4 * 65_536);
    }
  }

  @Test
  void keysThatThePartitionerRefusesAreTheClientsFault() {
    Engine engine = busy("strategy: manx");
    send(engine, "SELECT * FROM ks.tokenless WHERE k IN (1, 2)", 100);
    reaches(100, 0, 0);
    assertThat(engine.counters().get(Counter.REQUESTS_MALFORMED)).isEqualTo(1);
    assertThat(engine.counters().get(Counter.FAULTS)).isZero();
  }
}
