/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import javax.management.Attribute;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies of a third party that violate the rules: the node continues. */
@OwnNodes
@Timeout(300)
class NastyPoliciesEndToEndTest extends OnGuestNode {
  // That of the node's configuration.
  private static final long USUAL_TIMEOUT_MILLIS = 3_000;

  @Test
  void aThirdPartysPolicyMayDeclareNoMoreMemoryThanItsShareOfTheHeap() {
    OneNode.set(superuser, "document", GOOD);
    String large = "strategy: { select: { policy: select.nasty, does: nonsense, memory: 1GiB } }";
    assertThatThrownBy(() -> OneNode.set(superuser, "document", large))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("manx.strategy: strategy.select.memory = '1GiB' is invalid")
        .hasMessageContaining("an eighth of this node's heap");
    assertThat(OneNode.table(superuser, "strategy")).containsEntry("policy.select", "select.low");
  }

  /** A mebibyte for each ranking and each dispatch, in a heap of 512 MiB. */
  @Test
  void policiesThatLeaveMuchGarbageCostNoRead() throws Exception {
    OneNode.set(
        superuser,
        "document",
        "strategy: { select: { policy: select.nasty, does: allocate },"
            + " order: { policy: order.nasty, does: allocate } }");
    OneNode.set(superuser, "mode", "on");
    long faults = counter("faults");
    long dispatched = counter("order_decisions");
    long collections = collections();
    for (int round = 0; round < 20; round++) {
      assertAnswered(twentyAtOnce());
    }
    // The rankings alone allocate 2,000 MiB.
    assertThat(collections() - collections).isGreaterThanOrEqualTo(3);
    assertThat(counter("order_decisions")).isGreaterThan(dispatched);
    assertThat(counter("faults")).isEqualTo(faults);
    assertThat(mode()).isEqualTo("on");
  }

  private static long collections() throws Exception {
    return node.<Long>jmx(
        server -> {
          long count = 0;
          for (ObjectName one :
              server.queryNames(new ObjectName("java.lang:type=GarbageCollector,*"), null)) {
            count += (Long) server.getAttribute(one, "CollectionCount");
          }
          return count;
        });
  }

  /** Each read has one replica here, so only an unknown id makes a ranking wrong. */
  @Test
  void aNonsenseRankingIsMendedAndCounted() {
    OneNode.set(superuser, "document", nastySelector("nonsense"));
    OneNode.set(superuser, "mode", "on");
    long before = counter("select_mended");
    long faults = counter("faults");
    for (int i = 0; i < 20; i++) {
      assertThat(read(1, 2, 3)).isEqualTo(3);
    }
    assertThat(counter("select_mended") - before).isGreaterThanOrEqualTo(60);
    assertThat(counter("faults")).isEqualTo(faults);
    assertThat(mode()).isEqualTo("on");
  }

  @ParameterizedTest
  @ValueSource(strings = {"throw", "overflow"})
  void aSelectorThatThrowsOpensTheBreakerWhichTriesAgain(String does) {
    OneNode.set(superuser, "document", nastySelector(does));
    OneNode.set(superuser, "mode", "on");
    long halfOpened = counter("breaker_half_opened");
    whileReading("the breaker opened", () -> mode().equals("off"));
    Waiting.until("it tries again", () -> counter("breaker_half_opened") > halfOpened);
    whileReading("it is open again", () -> status("breaker").startsWith("open, tries again in"));
    // Repaired: the next try succeeds and the breaker closes.
    OneNode.set(superuser, "document", GOOD);
    Waiting.until("it is closed", () -> mode().equals("on") && status("breaker").equals("closed"));
  }

  @Test
  void anOrderThatIsNotMadeWhenManxTriesAgainHoldsUpNothing() {
    OneNode.set(
        superuser,
        "document",
        "strategy: { select: { policy: select.nasty, does: throw },"
            + " order: { policy: order.nasty, does: linger-when-made-again } }");
    OneNode.set(superuser, "mode", "on");
    whileReading(
        "it is noticed", () -> status("breaker").contains("does not return from a switch"));
    assertThat(mode()).isEqualTo("off");
    assertThat(status("trouble")).contains("does not return from a switch");
    assertThat(read(1, 2, 3)).isEqualTo(3);
    OneNode.set(superuser, "mode", "off");
    // When the switch finally ends, it does not switch anything on.
    Waiting.until("another switch is possible", () -> switched("on"));
    OneNode.set(superuser, "document", GOOD);
    assertThat(mode()).isEqualTo("on");
  }

  /** Some reads at a time, for failures must come within a second to open the breaker. */
  private static void whileReading(String what, BooleanSupplier condition) {
    Waiting.until(
        what,
        () -> {
          for (int i = 0; i < 5; i++) {
            assertThat(read(1, 2, 3)).isEqualTo(3);
          }
          return condition.getAsBoolean();
        });
  }

  private static boolean switched(String mode) {
    try {
      OneNode.set(superuser, "mode", mode);
      return true;
    } catch (DriverException e) {
      assertThat(e).hasMessageContaining("another switch is under way");
      assertThat(mode()).isEqualTo("off");
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing", "throw"})
  void anOrderThatFailsStrandsNoRead(String does) {
    OneNode.set(superuser, "document", nastyOrder(does));
    OneNode.set(superuser, "mode", "on");
    long queued = counter("order_queued");
    String failed = does.equals("throw") ? "faults" : "order_drained";
    long before = counter(failed);
    assertAnswered(twentyAtOnce());
    assertThat(counter("order_queued")).as("reads that waited").isGreaterThan(queued);
    assertThat(counter(failed)).as(failed).isGreaterThan(before);
    assertThat(status("queue.ranked")).startsWith("0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "on"})
  void anOrderThatCannotBeMadeLeavesTheQueueToStock(String before) {
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", before);
    OneNode.set(superuser, "document", nastyOrder("throw-when-made"));
    OneNode.set(superuser, "mode", "on");
    assertThat(OneNode.table(superuser, "hooks"))
        .containsEntry("read-stage", "failed")
        .containsEntry("outbound", "installed");
    assertThat(read(1, 2, 3, 4, 5)).isEqualTo(5);
    OneNode.set(superuser, "document", GOOD);
    assertThat(OneNode.table(superuser, "hooks")).containsEntry("read-stage", "installed");
    assertThat(read(1, 2, 3, 4, 5)).isEqualTo(5);
    assertThat(mode()).isEqualTo("on");
  }

  @Test
  void offActsAtOnceWhileAnOrderBlocks() throws Exception {
    OneNode.set(superuser, "document", nastyOrder("block"));
    OneNode.set(superuser, "mode", "on");
    // The reads must still be wanted when Manx is off.
    readTimeoutMillis(60_000);
    try {
      List<CompletionStage<AsyncResultSet>> reads = new ArrayList<>();
      node.<Object>jmx(
          server -> {
            reads.addAll(twentyAtOnce());
            Waiting.until("a read thread is inside the order", () -> isInsideTheOrder(server));
            long begin = System.nanoTime();
            server.setAttribute(new ObjectName("dev.manx:type=Manx"), new Attribute("Mode", "off"));
            long millis = (System.nanoTime() - begin) / 1_000_000;
            System.out.printf("off by JMX while an order blocks: %d ms%n", millis);
            assertThat(millis).as("milliseconds").isLessThan(10_000);
            return null;
          });
      assertThat(mode()).isEqualTo("off");
      assertThat(OneNode.table(superuser, "hooks").values()).containsOnly("stock");
      // The node also serves waiting reads, with the threads that the policy did not block.
      assertAnswered(reads);
    } finally {
      readTimeoutMillis(USUAL_TIMEOUT_MILLIS);
    }
    assertThat(node.<Boolean>jmx(server -> isInsideTheOrder(server))).isTrue();
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", "on");
    assertThat(read(1, 2, 3, 4, 5)).isEqualTo(5);
    assertThat(mode()).isEqualTo("on");
  }

  private static void readTimeoutMillis(long millis) throws Exception {
    node.<Object>jmx(
        server -> {
          server.setAttribute(
              new ObjectName("org.apache.cassandra.db:type=StorageProxy"),
              new Attribute("ReadRpcTimeout", millis));
          return null;
        });
  }

  private static boolean isInsideTheOrder(MBeanServerConnection server) {
    try {
      return Arrays.stream(
              JMX.newMXBeanProxy(
                      server,
                      new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                      ThreadMXBean.class)
                  .dumpAllThreads(false, false))
          .flatMap(thread -> Arrays.stream(thread.getStackTrace()))
          .anyMatch(
              frame ->
                  frame.getClassName().endsWith(".NastyOrder")
                      && frame.getMethodName().equals("poll"));
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"block", "block-tick", "block-sent"})
  void aSelectorThatBlocksIsSwitchedOff(String does) {
    OneNode.set(superuser, "document", nastySelector(does));
    OneNode.set(superuser, "mode", "on");
    long before = counter("policies_stuck");
    CompletionStage<AsyncResultSet> stuck =
        superuser.executeAsync(
            SimpleStatement.newInstance("SELECT v FROM g.t WHERE k IN (1, 2)")
                .setTimeout(java.time.Duration.ofSeconds(1)));
    stuck.toCompletableFuture().handle((rows, error) -> null).join();
    Waiting.until("it is switched off", () -> mode().equals("off"));
    assertThat(counter("policies_stuck")).isGreaterThan(before);
    assertThat(status("trouble")).contains("does not return");
    assertThat(read(1, 2, 3)).isEqualTo(3);
    // Ticks continue for the next strategy.
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", "on");
    assertThat(read(1, 2, 3)).isEqualTo(3);
    Waiting.until("no ticket stays open", () -> status("tickets.open").startsWith("0 of"));
  }

  @Test
  void anOracleThatBlocksIsSwitchedOff() {
    OneNode.set(superuser, "document", nastyOracle("block"));
    OneNode.set(superuser, "mode", "on");
    CompletionStage<AsyncResultSet> stuck =
        superuser.executeAsync(
            SimpleStatement.newInstance("INSERT INTO g.t (k, v) VALUES (?, ?)", 4000, 1)
                .setTimeout(java.time.Duration.ofSeconds(1)));
    stuck.toCompletableFuture().handle((rows, error) -> null).join();
    Waiting.until("it is switched off", () -> mode().equals("off"));
    assertThat(status("trouble")).contains("does not return");
    assertThat(read(4000)).as("the write itself had succeeded").isEqualTo(1);
  }

  @Test
  void anOracleThatBlocksWhenAskedHowFullItIsHoldsUpNoneWhoLooks() {
    OneNode.set(superuser, "document", nastyOracle("block-fill"));
    OneNode.set(superuser, "mode", "on");
    Waiting.until("it is switched off", () -> mode().equals("off"));
    assertThat(status("trouble")).contains("does not return");
    assertThat(status("oracle.size.fill-ratio")).isEqualTo("0.0000");
  }

  /** Constant values are requested once, by the thread that sets the document. */
  @Test
  void policiesThatBlockWhenAskedAgainHoldUpNoRequest() {
    OneNode.set(
        superuser,
        "document",
        "strategy: { select: { policy: select.nasty, does: block-again }, oracles: { size: {"
            + " policy: oracle.size-nasty, does: block-again } } }");
    OneNode.set(superuser, "mode", "on");
    long faults = counter("faults");
    superuser.execute("INSERT INTO g.t (k, v) VALUES (?, ?)", 4002, 1);
    assertThat(read(1, 2, 4002)).isEqualTo(3);
    assertThat(status("oracle.size.memory")).isEqualTo("1B");
    assertThat(mode()).isEqualTo("on");
    assertThat(counter("faults")).isEqualTo(faults);
  }

  @Test
  void aSelectorThatThrowsWhenAReadIsSentLeavesNoTicketOpen() {
    OneNode.set(superuser, "document", nastySelector("throw-sent"));
    OneNode.set(superuser, "mode", "on");
    long cancelled = counter("tickets_cancelled");
    long answered = counter("tickets_answered");
    assertThat(read(1, 2)).isEqualTo(2);
    Waiting.until("each read closed its ticket", () -> counter("tickets_answered") == answered + 2);
    assertThat(counter("tickets_cancelled")).isEqualTo(cancelled);
  }

  @Test
  void aWriteSucceedsThoughAnOracleThrows() {
    OneNode.set(superuser, "document", nastyOracle("throw"));
    OneNode.set(superuser, "mode", "on");
    long faults = counter("faults");
    superuser.execute("INSERT INTO g.t (k, v) VALUES (?, ?)", 4001, 1);
    assertThat(counter("faults")).isGreaterThan(faults);
    OneNode.set(superuser, "mode", "off");
    assertThat(read(4001)).isEqualTo(1);
  }

  private static String nastySelector(String does) {
    return "strategy: { select: { policy: select.nasty, does: " + does + " } }";
  }

  private static String nastyOracle(String does) {
    return "strategy: { oracles: { size: { policy: oracle.size-nasty, does: " + does + " } } }";
  }

  private static String nastyOrder(String does) {
    return "strategy: { order: { policy: order.nasty, does: " + does + " } }";
  }
}
