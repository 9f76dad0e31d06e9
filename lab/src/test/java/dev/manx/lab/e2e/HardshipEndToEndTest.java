/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import dev.manx.lab.e2e.nasty.NodeCode;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.management.Attribute;
import javax.management.JMX;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node at its bounds, with clients that send garbage, a clock that jumps, and an operator who
 * switches all day. With {@code MANX_FULL} clients send twice as much garbage.
 */
@OwnNodes
@Timeout(300)
class HardshipEndToEndTest {
  private static final int KEYS = 300;
  private static final int MOST_KEYS_IN_FLIGHT = 100;
  private static final long HOUR_MILLIS = 3_600_000;
  private static final String MANX =
      """
      strategy:
        select: { policy: select.low }
        order: { policy: order.bottleneck }
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
        oracles: { size: { policy: oracle.size-bloom, large-above: 1KiB, memory: 8MiB } }
        facts: [pending-reads, service-time, work-ahead, slowness]
      """;

  private static OneNode node;
  private static CqlSession session;
  private static PreparedStatement multiget;

  @BeforeAll
  static void boot() throws IOException {
    Path work = Files.createDirectories(ManxHome.find().root().resolve(".manx/hardship"));
    Path config = work.resolve("manx.yaml");
    Files.writeString(
        config,
        """
        plugin:
          mode: off
          calm-after: 0s
          in-flight: { keys: %d }
        strategy: {}
        """
            .formatted(MOST_KEYS_IN_FLIGHT));
    Files.deleteIfExists(work.resolve("manx.off"));
    node =
        OneNode.boot(
            true,
            List.of(NodeCode.jar(work)),
            Map.of(),
            List.of("-Dmanx.config=" + config, "-Dcassandra.clock=nasty.SteppedClock"));
    session = OneNode.session(null, null);
    session.execute(
        "CREATE KEYSPACE h WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("CREATE TABLE h.t (k int PRIMARY KEY, v int) WITH memtable = 'modelled'");
    PreparedStatement insert = session.prepare("INSERT INTO h.t (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    multiget = session.prepare("SELECT k, v FROM h.t WHERE k IN ?");
  }

  @AfterAll
  static void stop() {
    if (session != null) {
      session.close();
    }
    if (node != null) {
      node.close();
    }
  }

  @AfterEach
  void off() {
    OneNode.set(session, "mode", "off");
    OneNode.set(session, "document", "strategy: {}");
  }

  private static String status(String name) {
    return OneNode.table(session, "strategy").get(name);
  }

  private static long counter(String name) {
    return Long.parseLong(OneNode.table(session, "counters").get(name));
  }

  private static void assertNothingIsOutstanding() {
    Waiting.until("no ticket is open", () -> status("tickets.open").startsWith("0 of"));
    Tickets.awaitBalance(() -> OneNode.table(session, "counters"));
    assertThat(OneNode.table(session, "counters")).containsEntry("faults", "0");
    assertThat(status("queue.ranked")).startsWith("0 of ");
    assertThat(status("queue.in-turn")).startsWith("0 of ");
    assertThat(status("in-flight.keys")).isEqualTo("0 of " + MOST_KEYS_IN_FLIGHT);
    assertThat(status("in-flight.bytes")).startsWith("0B of ");
    assertThat(status("in-flight.timed-reads")).startsWith("0 of ");
    Waiting.until(
        "no work is ahead",
        () ->
            session
                .execute("SELECT outstanding_work_us, work_ahead_us FROM manx.replicas")
                .all()
                .stream()
                .allMatch(row -> row.getLong(0) == 0 && row.getLong(1) == 0));
  }

  @Test
  void aFullQueueAndTooMuchInFlightCostNoRead() {
    OneNode.set(
        session, "document", MANX.replace("order.bottleneck", "order.bottleneck, capacity: 4"));
    OneNode.set(session, "mode", "on");
    long overflowed = counter("order_overflowed");
    long overLimit = counter("requests_over_limit");
    long cancelled = counter("tickets_cancelled");
    long timedOut = counter("tickets_timed_out");
    List<CompletableFuture<AsyncResultSet>> answers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      List<Integer> keys = IntStream.range(i, i + 30).boxed().toList();
      answers.add(session.executeAsync(multiget.bind(keys)).toCompletableFuture());
    }
    for (CompletableFuture<AsyncResultSet> answer : answers) {
      int rows = 0;
      for (var row : answer.join().currentPage()) {
        assertThat(row.getInt("v")).isEqualTo(CheckedLoad.value(row.getInt("k")));
        rows++;
      }
      assertThat(rows).isEqualTo(30);
    }
    assertThat(counter("order_overflowed") - overflowed)
        .as("beyond the queue's bound")
        .isPositive();
    assertThat(counter("requests_over_limit") - overLimit).as("left to paging").isPositive();
    // A read rejected by the queue returns its ticket at once.
    assertThat(counter("tickets_cancelled")).isGreaterThan(cancelled);
    assertThat(status("queue.ranked")).isEqualTo("0 of 4");
    assertNothingIsOutstanding();
    assertThat(counter("tickets_timed_out")).isEqualTo(timedOut);
  }

  @Test
  void aClockThatIsSteppedChangesNothing() throws Exception {
    OneNode.set(session, "document", MANX);
    OneNode.set(session, "mode", "on");
    CheckedLoad load = new CheckedLoad(session, multiget, KEYS);
    try (load) {
      for (long step : new long[] {0, HOUR_MILLIS, -HOUR_MILLIS, 0}) {
        step(step);
        load.go(100);
        assertThat(status("mode")).isEqualTo("on");
      }
    } finally {
      step(0);
    }
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors()).isEmpty();
    assertThat(counter("requests_planned")).isPositive();
    assertNothingIsOutstanding();
  }

  private static void step(long millis) throws Exception {
    ObjectName clock = new ObjectName("nasty:type=Clock");
    node.<Object>jmx(
        server -> {
          server.setAttribute(clock, new Attribute("StepMillis", millis));
          assertThat(server.getAttribute(clock, "StepMillis")).isEqualTo(millis);
          return null;
        });
  }

  /** The memory of a node. */
  private record Held(long heapBytes, List<String> threads, int beans) {
    static Held now() throws Exception {
      return node.jmx(
          server -> {
            MemoryMXBean memory =
                JMX.newMXBeanProxy(
                    server,
                    new ObjectName(ManagementFactory.MEMORY_MXBEAN_NAME),
                    MemoryMXBean.class);
            for (int i = 0; i < 3; i++) {
              memory.gc();
            }
            ThreadMXBean threads =
                JMX.newMXBeanProxy(
                    server,
                    new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                    ThreadMXBean.class);
            List<String> own =
                Arrays.stream(threads.dumpAllThreads(false, false))
                    .map(java.lang.management.ThreadInfo::getThreadName)
                    .filter(name -> name.startsWith("manx"))
                    .sorted()
                    .toList();
            int beans =
                server
                        .queryNames(
                            new ObjectName("org.apache.cassandra.metrics:type=Manx,*"), null)
                        .size()
                    + server.queryNames(new ObjectName("dev.manx:*"), null).size();
            return new Held(memory.getHeapMemoryUsage().getUsed(), own, beans);
          });
    }
  }

  @Test
  void switchingAllDayLeavesNothingBehind() throws Exception {
    for (int i = 0; i < 5; i++) {
      cycle(i);
    }
    Held before = Held.now();
    int cycles = 60;
    for (int i = 0; i < cycles; i++) {
      cycle(i);
    }
    Held after = Held.now();
    System.out.printf(
        "%d cycles: heap %d KiB before, %d KiB after, threads %s%n",
        cycles, before.heapBytes >> 10, after.heapBytes >> 10, after.threads);
    assertThat(after.threads).isEqualTo(before.threads);
    // A metric is registered when its table, width or node is first seen, so a few may be late.
    assertThat(after.beans).isLessThan(before.beans + cycles / 4);
    // Each cycle builds two oracles of some 8 MiB: if one in eight were kept, this would detect it.
    assertThat(after.heapBytes).isLessThan(before.heapBytes + (64 << 20));
    OneNode.set(session, "mode", "off");
    assertThat(OneNode.table(session, "hooks").values()).containsOnly("stock");
    assertNothingIsOutstanding();
  }

  private static void cycle(int number) {
    OneNode.set(session, "document", MANX.replace("8MiB", number % 2 == 0 ? "7MiB" : "8MiB"));
    OneNode.set(session, "mode", "on");
    read(5);
    OneNode.set(session, "document", MANX.replace("8MiB", "6MiB"));
    OneNode.set(session, "mode", "shadow");
    read(5);
    OneNode.set(session, "mode", "off");
    read(1);
  }

  private static void read(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(session.execute(multiget.bind(List.of(i, i + 1, i + 2))).all()).hasSize(3);
    }
  }

  @Test
  void valuesOfNoTypeAreRefusedAsByStockAndAreNoFaultOfManx() {
    String given = System.getenv("MANX_SEED");
    long seed = given == null ? System.nanoTime() : Long.parseLong(given);
    System.out.printf("MANX_SEED=%d%n", seed);
    List<Garbled> drawn = GarbledKeys.draw(session, new SplittableRandom(seed));
    OneNode.set(session, "document", MANX.replace("large-above: 1KiB", "large-above: 1B"));
    // Inserted rows are present the next time.
    drawn.forEach(each -> each.outcome(session));
    List<String> stock = drawn.stream().map(each -> each.outcome(session)).toList();
    for (String mode : List.of("shadow", "on")) {
      OneNode.set(session, "mode", mode);
      long malformed = counter("requests_malformed");
      for (int i = 0; i < drawn.size(); i++) {
        assertThat(drawn.get(i).outcome(session))
            .as("MANX_SEED=%d, mode %s: %s", seed, mode, drawn.get(i))
            .isEqualTo(stock.get(i));
      }
      assertThat(counter("requests_malformed")).isGreaterThan(malformed);
      assertThat(status("mode")).isEqualTo(mode);
    }
    assertThat(counter("breaker_opened")).isZero();
    System.out.printf(
        "%d statements alike, %d of them refused; %d values malformed%n",
        drawn.size(),
        stock.stream().filter(outcome -> !outcome.startsWith("rows")).count(),
        counter("requests_malformed"));
    assertNothingIsOutstanding();
  }
}
