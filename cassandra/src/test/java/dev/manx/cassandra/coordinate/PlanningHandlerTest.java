/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.management.ThreadMXBean;
import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.TestSelect;
import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.cassandra.control.Counter;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.UnauthorizedException;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What reaches Cassandra of a statement, and what is in flight meanwhile; there is no ring. */
@Timeout(60)
class PlanningHandlerTest {
  private static final long KEYS = 1_000;
  private static final long BYTES = 64 << 20;
  private static final String IN = "SELECT * FROM ks.plain WHERE k IN ?";

  private final InFlight inFlight = new InFlight(KEYS, BYTES);
  private final List<QueryOptions> reached = new ArrayList<>();
  private final List<Boolean> home = new ArrayList<>();
  private final List<Long> keysThen = new ArrayList<>();
  private final List<Long> bytesThen = new ArrayList<>();
  private final QueryState state = new QueryState(ClientState.forInternalCalls());

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private static Engine calm(String strategy) {
    return TestEngines.calm(strategy, () -> 7);
  }

  private static Engine busy(String strategy) {
    return TestEngines.of(strategy, () -> 7);
  }

  private void send(Engine engine, String cql, int pageSize, ByteBuffer... values) {
    send(engine, new Executed(cql, null), pageSize, values);
  }

  private void send(Engine engine, SelectStatement select, int pageSize, ByteBuffer... values) {
    send(engine, QueryProcessor.instance, select, pageSize, values);
  }

  private void send(
      Engine engine,
      QueryHandler next,
      SelectStatement select,
      int pageSize,
      ByteBuffer... values) {
    new PlanningHandler(() -> engine, () -> next, inFlight, table -> true)
        .processPrepared(select, state, TestSchema.options(pageSize, values), null, null);
  }

  /** A handler that stands behind Manx in place of Cassandra's own. */
  private QueryHandler other() {
    return (QueryHandler)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {QueryHandler.class},
            (proxy, method, arguments) -> {
              assertThat(arguments[0]).as("as the client sent it").isInstanceOf(Executed.class);
              reached((QueryOptions) arguments[2]);
              return null;
            });
  }

  private void reached(QueryOptions options) {
    reached.add(options);
    home.add(ThreadPlan.current().staysHome());
    keysThen.add(inFlight.keys());
    bytesThen.add(inFlight.bytes());
  }

  /** A statement that notes when it would be executed. */
  private final class Executed extends TestSelect {
    private final RuntimeException refusal;
    private int authorized;

    /**
     * @param refusal thrown when Cassandra looks for the client's rights; null if it has them
     */
    Executed(String cql, RuntimeException refusal) {
      super(TestSchema.select(cql));
      this.refusal = refusal;
    }

    @Override
    public void authorize(ClientState client) {
      authorized++;
      if (refusal != null) {
        throw refusal;
      }
    }

    @Override
    public ResultMessage.Rows execute(
        QueryState client, QueryOptions options, Dispatcher.RequestTime requestTime) {
      reached(options);
      return null;
    }
  }

  private void reaches(int pageSize, long keys, long bytes) {
    assertThat(reached).hasSize(1);
    assertThat(reached.get(0).getPageSize()).isEqualTo(pageSize);
    assertThat(keysThen).containsExactly(keys);
    assertThat(bytesThen).containsExactly(bytes);
    assertThat(inFlight.keys() + inFlight.bytes()).as("afterwards").isZero();
    reached.clear();
    keysThen.clear();
    bytesThen.clear();
  }

  /** The oracle forecasts 64 KiB at most, and 1 KiB for a key that it does not know. */
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

  /** Else requests of the control group would be acted on, and the canary would compare nothing. */
  @Test
  void theCanaryIsDrawnOnceForEachRequest() {
    Engine engine = calm("strategy: manx");
    engine.measures().canary(CanaryConfig.parse("test", "{ tables: [ks.plain], share: 50% }"));
    int followed = 0;
    for (int request = 0; request < 64 * ThreadPlan.SAMPLE; request++) {
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

  private static long acted(Engine engine) {
    return engine.measures().requests().rows().stream().mapToLong(row -> row.acted().count()).sum();
  }

  private static long control(Engine engine) {
    return engine.measures().requests().rows().stream()
        .mapToLong(row -> row.control().count())
        .sum();
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

  /** Nor is anything evaluated to find out which lists are the keys. */
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

  /** It would come in a page of two rows, after four reads at once that count as two. */
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
  void keysThatThePartitionerRefusesAreTheClients() {
    Engine engine = busy("strategy: manx");
    send(engine, "SELECT * FROM ks.tokenless WHERE k IN (1, 2)", 100);
    reaches(100, 0, 0);
    assertThat(engine.counters().get(Counter.REQUESTS_MALFORMED)).isEqualTo(1);
    assertThat(engine.counters().get(Counter.FAULTS)).isZero();
  }

  @Test
  void permissionsAreCheckedOnceBeforeKeysAreEvaluated() {
    for (Engine engine : List.of(calm("strategy: manx"), busy("strategy: manx"))) {
      Executed allowed = new Executed("SELECT * FROM ks.plain WHERE k IN (1, 2)", null);
      send(engine, allowed, 100);
      assertThat(allowed.authorized).isEqualTo(1);
      reaches(-1, 2, 2 * 65_536);
      UnauthorizedException refusal = new UnauthorizedException("no right");
      // The partitioner refuses its keys, which would count if they were looked at.
      Executed refused = new Executed("SELECT * FROM ks.tokenless WHERE k IN (1, 2)", refusal);
      assertThat(catchThrowable(() -> send(engine, refused, 100))).isSameAs(refusal);
      assertThat(refused.authorized).isEqualTo(1);
      assertThat(reached).isEmpty();
      assertThat(engine.counters().get(Counter.REQUESTS_MALFORMED)).isZero();
      assertThat(engine.counters().get(Counter.FAULTS)).isZero();
    }
  }

  @Test
  void permissionsAreCheckedOnceForReadsThatAreFollowedWhileAllIsCalm() {
    Engine engine = calm("strategy: manx");
    String single = "SELECT * FROM ks.plain WHERE k = 1";
    Executed allowed = new Executed(single, null);
    RuntimeException refusal = new UnauthorizedException("no right");
    Executed refused = new Executed(single, refusal);
    for (int request = 0; request < 2 * ThreadPlan.SAMPLE; request++) {
      send(engine, allowed, -1);
      assertThat(catchThrowable(() -> send(engine, refused, -1))).isSameAs(refusal);
    }
    assertThat(allowed.authorized).isEqualTo(2 * ThreadPlan.SAMPLE);
    assertThat(refused.authorized).isEqualTo(2 * ThreadPlan.SAMPLE);
    assertThat(reached).hasSize(2 * ThreadPlan.SAMPLE);
    assertThat(engine.counters().get(Counter.REQUESTS_NOT_PLANNED)).as("followed").isPositive();
    assertThat(engine.counters().get(Counter.REQUESTS_MALFORMED)).isZero();
  }

  /** Where Manx's own statement could not pass on whatever Cassandra asks of it. */
  @Test
  void aStatementIsSentAsItIsIfManxsDoesNotFit() {
    Engine engine = busy("strategy: manx");
    Executed select = new Executed("SELECT * FROM ks.plain WHERE k IN (1, 2)", null);
    PlanningHandler handler =
        new PlanningHandler(() -> engine, () -> QueryProcessor.instance, inFlight, table -> true);
    handler.wraps(false);
    handler.processPrepared(select, state, TestSchema.options(100), null, null);
    assertThat(select.authorized).as("by Manx and by Cassandra").isEqualTo(2);
    reaches(-1, 2, 2 * 65_536);
  }

  @Test
  void anotherHandlerGetsTheStatementAsItIs() {
    Executed select = new Executed("SELECT * FROM ks.plain WHERE k IN (1, 2)", null);
    send(busy("strategy: manx"), other(), select, 100);
    assertThat(select.authorized).as("before its keys are evaluated").isEqualTo(1);
    reaches(-1, 2, 2 * 65_536);
  }

  /** Asking again would take the client a second time-out. */
  @Test
  void rightsThatCannotBeFoundOutInTimeAreTheAnswer() {
    RuntimeException late =
        new UnauthorizedException(
            "Unable to perform authorization",
            new ReadTimeoutException(ConsistencyLevel.ONE, 0, 1, false));
    Executed select = new Executed("SELECT * FROM ks.plain WHERE k IN (1, 2)", late);
    for (QueryHandler next : List.of(QueryProcessor.instance, other())) {
      Engine engine = busy("strategy: manx");
      assertThat(catchThrowable(() -> send(engine, next, select, 100))).isSameAs(late);
      assertThat(reached).isEmpty();
      assertThat(engine.counters().get(Counter.REQUESTS_MALFORMED)).isZero();
      assertThat(engine.counters().get(Counter.FAULTS)).isZero();
    }
    assertThat(select.authorized).as("once for each").isEqualTo(2);
  }

  @Test
  void aClientWithoutRightsIsRefusedByTheNextHandler() {
    Engine engine = busy("strategy: manx");
    RuntimeException refusal = new UnauthorizedException("no right");
    Executed select = new Executed("SELECT * FROM ks.plain WHERE k IN (1, 2)", refusal);
    send(engine, other(), select, 100);
    assertThat(engine.counters().get(Counter.REQUESTS_MALFORMED)).isEqualTo(1);
    reaches(100, 0, 0);
  }
}
