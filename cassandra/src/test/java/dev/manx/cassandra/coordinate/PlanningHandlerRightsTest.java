/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.UnauthorizedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client's rights are checked once; a statement that is refused goes no further. */
@Timeout(60)
class PlanningHandlerRightsTest extends SentStatements {
  @Test
  void permissionsAreCheckedOnceBeforeKeysAreEvaluated() {
    for (Engine engine : List.of(calm("strategy: manx"), busy("strategy: manx"))) {
      Executed allowed = new Executed("SELECT * FROM ks.plain WHERE k IN (1, 2)", null);
      send(engine, allowed, 100);
      assertThat(allowed.authorized).isEqualTo(1);
      reaches(-1, 2, 2 * 65_536);
      UnauthorizedException refusal = new UnauthorizedException("no right");
      // The partitioner refuses its keys, which would be counted if they were evaluated.
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
    // One after the other: if both alternated, all tracked ones could be of one kind.
    for (int request = 0; request < 2 * Sample.USUAL; request++) {
      send(engine, allowed, -1);
    }
    for (int request = 0; request < 2 * Sample.USUAL; request++) {
      assertThat(catchThrowable(() -> send(engine, refused, -1))).isSameAs(refusal);
    }
    assertThat(allowed.authorized).isEqualTo(2 * Sample.USUAL);
    assertThat(refused.authorized).isEqualTo(2 * Sample.USUAL);
    assertThat(reached).hasSize(2 * Sample.USUAL);
    assertThat(engine.counters().get(Counter.REQUESTS_NOT_PLANNED)).as("tracked").isPositive();
    assertThat(engine.counters().get(Counter.REQUESTS_MALFORMED)).isZero();
  }

  /** For a Cassandra with a method that Manx's own statement does not pass on. */
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

  /** A handler behind Manx in place of Cassandra's own. */
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

  @Test
  void anotherHandlerGetsTheStatementAsItIs() {
    Executed select = new Executed("SELECT * FROM ks.plain WHERE k IN (1, 2)", null);
    send(busy("strategy: manx"), other(), select, 100);
    assertThat(select.authorized).as("before its keys are evaluated").isEqualTo(1);
    reaches(-1, 2, 2 * 65_536);
  }

  /** A second check would cost the client a second time-out. */
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
