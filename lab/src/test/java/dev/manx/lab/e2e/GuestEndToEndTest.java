/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import dev.manx.lab.e2e.nasty.NastyPolicies;
import dev.manx.local.cluster.ManxHome;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import javax.management.Attribute;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node with logins, permissions, the dynamic snitch, another query handler behind Manx's, and
 * policies that do what no policy may.
 */
@OwnNodes
@Timeout(300)
class GuestEndToEndTest {
  private static final String GOOD =
      "strategy: { select: select.low, order: order.bottleneck, fanout: fanout.brb-equalmax }";

  private static OneNode node;
  private static CqlSession superuser;

  @BeforeAll
  static void boot() throws Exception {
    Path work = ManxHome.find().root().resolve(".manx/nasty");
    Path nasty = NastyPolicies.jar(work);
    Path config = work.resolve("manx.yaml");
    Files.writeString(
        config,
        """
        plugin:
          mode: shadow
          calm-after: 0ms
          breaker: { failures: 3, window: 1s, retry-after: 2s }
        strategy: { select: select.low }
        """);
    Files.deleteIfExists(work.resolve("manx.off"));
    node =
        OneNode.boot(
            true,
            List.of(nasty),
            Map.of(
                "authenticator", "PasswordAuthenticator",
                "authorizer", "CassandraAuthorizer",
                "dynamic_snitch", "true",
                "batchlog_endpoint_strategy", "dynamic",
                "permissions_validity", "100ms",
                "roles_validity", "100ms",
                "tombstone_failure_threshold", "20",
                "read_thresholds_enabled", "true",
                "local_read_size_fail_threshold", "64KiB",
                // Reads that a policy strands end soon.
                "read_request_timeout", "3s"),
            List.of(
                "-Dcassandra.superuser_setup_delay_ms=0",
                "-Dmanx.config=" + config,
                "-Dmanx.next_query_handler_class="
                    + "org.apache.cassandra.cql3.CustomPayloadMirroringQueryHandler"));
    superuser = OneNode.session("cassandra", "cassandra");
    superuser.execute(
        "CREATE KEYSPACE g WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    superuser.execute("CREATE TABLE g.t (k int PRIMARY KEY, v int) WITH memtable = 'modelled'");
    for (int k = 0; k < 100; k++) {
      superuser.execute("INSERT INTO g.t (k, v) VALUES (?, ?)", k, -k);
    }
  }

  @AfterAll
  static void stop() {
    if (superuser != null) {
      superuser.close();
    }
    if (node != null) {
      node.close();
    }
  }

  @AfterEach
  void off() {
    OneNode.set(superuser, "mode", "off");
    OneNode.set(superuser, "document", "strategy: {}");
  }

  @Test
  void aLocalReadThatFailsByTheQuerysFaultIsNotHeldAgainstTheNode() {
    superuser.execute("CREATE TABLE g.wide (k int, c int, v text, PRIMARY KEY (k, c))");
    for (int c = 0; c < 40; c++) {
      superuser.execute("DELETE FROM g.wide WHERE k = 1 AND c = ?", c);
      superuser.execute("INSERT INTO g.wide (k, c, v) VALUES (2, ?, ?)", c, "v".repeat(4_000));
    }
    // A selector that is told of every local read; select.low hears of a sample.
    OneNode.set(superuser, "document", GOOD.replace("select.low", "select.lor"));
    OneNode.set(superuser, "mode", "on");
    long excused = counter("failures_excused");
    long penalised = counter("failures_penalised");
    int each = 60;
    for (int k : new int[] {1, 2}) {
      Statement<?> failing =
          SimpleStatement.newInstance("SELECT * FROM g.wide WHERE k = ?", k).setIdempotent(false);
      for (int i = 0; i < each; i++) {
        assertThatThrownBy(() -> superuser.execute(failing))
            .isInstanceOf(ReadFailureException.class);
      }
    }
    assertThat(counter("failures_excused") - excused).isEqualTo(2 * each);
    assertThat(counter("failures_penalised")).isEqualTo(penalised);
  }

  @Test
  void onlySuperusersAndRolesWithAGrantOnTheTableItselfMaySwitch() {
    for (String role : List.of("app", "operator")) {
      superuser.execute(
          "CREATE ROLE IF NOT EXISTS " + role + " WITH PASSWORD = 'x' AND LOGIN = true");
      superuser.execute("GRANT SELECT ON ALL KEYSPACES TO " + role);
      superuser.execute("GRANT MODIFY ON ALL KEYSPACES TO " + role);
    }
    superuser.execute("CREATE ROLE IF NOT EXISTS operators");
    superuser.execute("GRANT MODIFY ON TABLE manx.strategy TO operators");
    superuser.execute("GRANT operators TO operator");
    assertThatThrownBy(() -> superuser.execute("GRANT MODIFY ON KEYSPACE manx TO operators"))
        .isInstanceOf(InvalidQueryException.class);
    SimpleStatement update =
        SimpleStatement.newInstance("UPDATE manx.strategy SET value = 'on' WHERE name = 'mode'");
    try (CqlSession app = OneNode.session("app", "x")) {
      app.execute("INSERT INTO g.t (k, v) VALUES (1000, 1)");
      for (String mode : List.of("off", "shadow")) {
        OneNode.set(superuser, "mode", mode);
        assertThatThrownBy(() -> app.execute(update))
            .isInstanceOf(UnauthorizedException.class)
            .hasMessageContaining("GRANT MODIFY ON TABLE manx.strategy TO app");
        assertThatThrownBy(() -> OneNode.set(app, "document", GOOD))
            .isInstanceOf(UnauthorizedException.class);
        var prepared =
            app.prepare("UPDATE manx.strategy SET value = ? WHERE name = ?").bind("on", "mode");
        assertThatThrownBy(() -> app.execute(prepared)).isInstanceOf(UnauthorizedException.class);
        assertThatThrownBy(
                () -> app.execute(BatchStatement.newInstance(BatchType.UNLOGGED, update)))
            .isInstanceOf(UnauthorizedException.class);
        assertThat(OneNode.table(app, "strategy")).containsEntry("mode", mode);
      }
    }
    try (CqlSession operator = OneNode.session("operator", "x")) {
      operator.execute(update);
      assertThat(OneNode.table(operator, "strategy")).containsEntry("mode", "on");
    }
  }

  @Test
  void aStrategyThatTheHeapCannotHoldIsRefusedBeforeItIsMade() {
    String large =
        "strategy: { select: select.popularity-aware, oracles: { popularity: {"
            + " policy: oracle.popularity-space-saving, memory: 512MiB } } }";
    OneNode.set(superuser, "document", GOOD);
    for (String document : List.of(large, large.replace("512MiB", "100MiB"))) {
      assertThatThrownBy(() -> OneNode.set(superuser, "document", document))
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("manx.strategy: strategy.oracles.popularity.memory = '")
          .hasMessageContaining("an eighth of this node's heap");
    }
    assertThat(OneNode.table(superuser, "strategy")).containsEntry("policy.select", "select.low");
    node.cluster.checkAlive();
  }

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
    for (int i = 0; i < 5; i++) {
      assertThat(read(1, 2, 3)).isEqualTo(3);
    }
    await("the breaker opened", () -> mode().equals("off"));
    await("it tries again", () -> counter("breaker_half_opened") > halfOpened);
    for (int i = 0; i < 5; i++) {
      assertThat(read(1, 2, 3)).isEqualTo(3);
    }
    await("it is open again", () -> status("breaker").startsWith("open, tries again in"));
    // Mended: the next try goes well and the breaker closes.
    OneNode.set(superuser, "document", GOOD);
    await("it is closed", () -> mode().equals("on") && status("breaker").equals("closed"));
  }

  @Test
  void anOrderThatIsNotMadeWhenManxTriesAgainHoldsUpNothing() {
    OneNode.set(
        superuser,
        "document",
        "strategy: { select: { policy: select.nasty, does: throw },"
            + " order: { policy: order.nasty, does: linger-when-made-again } }");
    OneNode.set(superuser, "mode", "on");
    for (int i = 0; i < 5; i++) {
      assertThat(read(1, 2, 3)).isEqualTo(3);
    }
    await("it is noticed", () -> status("breaker").contains("does not return from a switch"));
    assertThat(mode()).isEqualTo("off");
    assertThat(status("trouble")).contains("does not return from a switch");
    assertThat(read(1, 2, 3)).isEqualTo(3);
    OneNode.set(superuser, "mode", "off");
    // When the switch ends at last, it switches nothing on.
    await("another switch is possible", () -> switched("on"));
    OneNode.set(superuser, "document", GOOD);
    assertThat(mode()).isEqualTo("on");
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
    List<CompletionStage<AsyncResultSet>> reads = new ArrayList<>();
    node.<Object>jmx(
        server -> {
          reads.addAll(twentyAtOnce());
          await("a read thread is inside the order", () -> isInsideTheOrder(server));
          long begin = System.nanoTime();
          server.setAttribute(new ObjectName("dev.manx:type=Manx"), new Attribute("Mode", "off"));
          long millis = (System.nanoTime() - begin) / 1_000_000;
          System.out.printf("off by JMX while an order blocks: %d ms%n", millis);
          assertThat(millis).as("milliseconds").isLessThan(10_000);
          return null;
        });
    assertThat(mode()).isEqualTo("off");
    assertThat(OneNode.table(superuser, "hooks").values()).containsOnly("stock");
    // The node serves what waited too, with the threads that the policy has not swallowed.
    assertAnswered(reads);
    assertThat(node.<Boolean>jmx(server -> isInsideTheOrder(server))).isTrue();
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", "on");
    assertThat(read(1, 2, 3, 4, 5)).isEqualTo(5);
    assertThat(mode()).isEqualTo("on");
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

  /** More multigets than the node's read threads serve without a queue. */
  private static List<CompletionStage<AsyncResultSet>> twentyAtOnce() {
    List<CompletionStage<AsyncResultSet>> reads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      reads.add(superuser.executeAsync("SELECT k, v FROM g.t WHERE k IN (1, 2, 3, 4, 5)"));
    }
    return reads;
  }

  private static void assertAnswered(List<CompletionStage<AsyncResultSet>> reads) {
    for (CompletionStage<AsyncResultSet> read : reads) {
      List<Integer> sums = new ArrayList<>();
      read.toCompletableFuture()
          .join()
          .currentPage()
          .forEach(row -> sums.add(row.getInt("k") + row.getInt("v")));
      assertThat(sums).containsExactly(0, 0, 0, 0, 0);
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
    await("it is switched off", () -> mode().equals("off"));
    assertThat(counter("policies_stuck")).isGreaterThan(before);
    assertThat(status("trouble")).contains("does not return");
    assertThat(read(1, 2, 3)).isEqualTo(3);
    // Ticks go on for the next strategy.
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", "on");
    assertThat(read(1, 2, 3)).isEqualTo(3);
    await("no ticket stays open", () -> status("tickets.open").startsWith("0 of"));
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
    await("it is switched off", () -> mode().equals("off"));
    assertThat(status("trouble")).contains("does not return");
    assertThat(read(4000)).as("the write itself had succeeded").isEqualTo(1);
  }

  @Test
  void anOracleThatBlocksWhenAskedHowFullItIsHoldsUpNoneWhoLooks() {
    OneNode.set(superuser, "document", nastyOracle("block-fill"));
    OneNode.set(superuser, "mode", "on");
    await("it is switched off", () -> mode().equals("off"));
    assertThat(status("trouble")).contains("does not return");
    assertThat(status("oracle.size.fill-ratio")).isEqualTo("0.0000");
  }

  /** What never changes is asked once, by the thread that sets the document. */
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
    await("each read closed its ticket", () -> counter("tickets_answered") == answered + 2);
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

  @Test
  void onlyWritesThatWereAllowedAndSurelyAppliedTeachTheOracle() {
    superuser.execute("CREATE ROLE IF NOT EXISTS reader WITH PASSWORD = 'x' AND LOGIN = true");
    superuser.execute("GRANT SELECT ON KEYSPACE g TO reader");
    OneNode.set(
        superuser,
        "document",
        "strategy: { oracles: { size: { policy: oracle.size-bloom, large-above: 1B } } }");
    OneNode.set(superuser, "mode", "on");
    String insert = "INSERT INTO g.t (k, v) VALUES (?, ?)";
    long before = counter("sizes_learned_from_writes");
    try (CqlSession reader = OneNode.session("reader", "x")) {
      for (int i = 0; i < 20; i++) {
        assertThatThrownBy(() -> reader.execute(insert, 1, 1))
            .isInstanceOf(UnauthorizedException.class);
      }
    }
    superuser.execute(insert + " IF NOT EXISTS", 1, 1);
    assertThat(counter("sizes_learned_from_writes")).isEqualTo(before);
    superuser.execute(insert, 1, -1);
    assertThat(counter("sizes_learned_from_writes")).isEqualTo(before + 1);
  }

  @Test
  void requestsThatAGuardrailRejectsAreNotCounted() throws Exception {
    superuser.execute("CREATE ROLE IF NOT EXISTS reader WITH PASSWORD = 'x' AND LOGIN = true");
    superuser.execute("GRANT SELECT ON KEYSPACE g TO reader");
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", "on");
    guardPartitionKeys(-1, 4);
    try (CqlSession reader = OneNode.session("reader", "x")) {
      long planned = counter("requests_planned");
      long unpaged = counter("multigets_unpaged");
      assertThatThrownBy(() -> reader.execute("SELECT v FROM g.t WHERE k IN (1, 2, 3, 4, 5)"))
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("Guardrail");
      assertThat(counter("requests_planned")).isEqualTo(planned);
      assertThat(counter("multigets_unpaged")).isEqualTo(unpaged);
      assertThat(reader.execute("SELECT v FROM g.t WHERE k IN (1, 2, 3)").all()).hasSize(3);
      assertThat(counter("requests_planned")).isEqualTo(planned + 1);
      assertThat(counter("multigets_unpaged")).isEqualTo(unpaged + 1);
    } finally {
      guardPartitionKeys(-1, -1);
    }
  }

  @Test
  void aGuardrailWarnsOnce() throws Exception {
    superuser.execute("CREATE ROLE IF NOT EXISTS reader WITH PASSWORD = 'x' AND LOGIN = true");
    superuser.execute("GRANT SELECT ON KEYSPACE g TO reader");
    OneNode.set(superuser, "document", GOOD);
    guardPartitionKeys(2, 4);
    try (CqlSession reader = OneNode.session("reader", "x")) {
      List<List<String>> warnings = new ArrayList<>();
      long planned = counter("requests_planned");
      for (String mode : List.of("off", "shadow", "on")) {
        OneNode.set(superuser, "mode", mode);
        warnings.add(
            reader
                .execute("SELECT v FROM g.t WHERE k IN (1, 2, 3)")
                .getExecutionInfo()
                .getWarnings());
      }
      assertThat(counter("requests_planned")).isEqualTo(planned + 2);
      assertThat(warnings.get(0)).hasSize(1).allMatch(text -> text.contains("Guardrail"));
      assertThat(warnings).containsOnly(warnings.get(0));
    } finally {
      guardPartitionKeys(-1, -1);
    }
  }

  private static void guardPartitionKeys(int warn, int most) throws Exception {
    node.<Object>jmx(
        server ->
            server.invoke(
                new ObjectName("org.apache.cassandra.db:type=Guardrails"),
                "setPartitionKeysInSelectThreshold",
                new Object[] {warn, most},
                new String[] {"int", "int"}));
  }

  @Test
  void snitchSettingsOverJmxWorkWithManxOn() throws Exception {
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", "on");
    assertThat(OneNode.table(superuser, "hooks")).containsEntry("snitch", "installed");
    ObjectName storage = new ObjectName("org.apache.cassandra.db:type=StorageService");
    // Takes effect only if the snitch in use is of the dynamic snitch's class.
    setUpdateInterval(321);
    assertThat(updateInterval()).isEqualTo(321);
    node.<Object>jmx(
        server ->
            server.invoke(
                storage,
                "updateSnitch",
                new Object[] {"SimpleSnitch", true, 123, null, null},
                new String[] {
                  String.class.getName(),
                  Boolean.class.getName(),
                  Integer.class.getName(),
                  Integer.class.getName(),
                  Double.class.getName()
                }));
    await("Manx stands in front of the new one", () -> snitchName().startsWith("dev.manx."));
    assertThat(updateInterval()).isEqualTo(123);
    setUpdateInterval(77);
    assertThat(updateInterval()).isEqualTo(77);
    // A logged batch, whose batchlog nodes are chosen by the dynamic snitch's scores.
    superuser.execute(
        BatchStatement.newInstance(
            BatchType.LOGGED,
            SimpleStatement.newInstance("INSERT INTO g.t (k, v) VALUES (2001, 1)"),
            SimpleStatement.newInstance("INSERT INTO g.t (k, v) VALUES (2002, 2)")));
    assertThat(read(2001, 2002)).isEqualTo(2);
    OneNode.set(superuser, "mode", "off");
    setUpdateInterval(100);
    assertThat(updateInterval()).isEqualTo(100);
  }

  private static String snitchName() {
    try {
      ObjectName info = new ObjectName("org.apache.cassandra.db:type=EndpointSnitchInfo");
      return node.<String>jmx(server -> (String) server.getAttribute(info, "SnitchName"));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static int updateInterval() throws Exception {
    ObjectName dynamic = new ObjectName("org.apache.cassandra.db:type=DynamicEndpointSnitch");
    return node.<Integer>jmx(server -> (Integer) server.getAttribute(dynamic, "UpdateInterval"));
  }

  private static void setUpdateInterval(int millis) throws Exception {
    ObjectName storage = new ObjectName("org.apache.cassandra.db:type=StorageService");
    node.<Object>jmx(
        server -> {
          server.setAttribute(storage, new Attribute("DynamicUpdateInterval", millis));
          return null;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "shadow", "on"})
  void statementsReachTheHandlerBehindManx(String mode) {
    OneNode.set(superuser, "document", GOOD);
    OneNode.set(superuser, "mode", mode);
    Map<String, ByteBuffer> payload = Map.of("sent", ByteBuffer.wrap(new byte[] {4, 2}));
    var prepared = superuser.prepare("SELECT v FROM g.t WHERE k = ?").bind(7);
    SimpleStatement simple = SimpleStatement.newInstance("SELECT v FROM g.t WHERE k IN (7, 8)");
    BatchStatement batch =
        BatchStatement.newInstance(
            BatchType.UNLOGGED,
            SimpleStatement.newInstance("INSERT INTO g.t (k, v) VALUES (3000, 1)"));
    List<Statement<?>> statements =
        List.of(
            prepared.setCustomPayload(payload),
            simple.setCustomPayload(payload),
            batch.setCustomPayload(payload));
    for (Statement<?> statement : statements) {
      assertThat(superuser.execute(statement).getExecutionInfo().getIncomingPayload())
          .as(statement.getClass().getSimpleName())
          .containsEntry("sent", payload.get("sent"));
    }
  }

  @Test
  void theVersionIsShown() {
    assertThat(status("version")).matches("\\d+\\.\\d+\\.\\d+.*");
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

  private static int read(Object... keys) {
    String marks = String.join(", ", java.util.Collections.nCopies(keys.length, "?"));
    return superuser
        .execute(
            SimpleStatement.newInstance("SELECT k, v FROM g.t WHERE k IN (" + marks + ")", keys))
        .all()
        .size();
  }

  private static String mode() {
    return status("mode");
  }

  private static String status(String name) {
    return OneNode.table(superuser, "strategy").get(name);
  }

  private static long counter(String name) {
    return Long.parseLong(OneNode.table(superuser, "counters").get(name));
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("waiting until " + what).isNegative();
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
