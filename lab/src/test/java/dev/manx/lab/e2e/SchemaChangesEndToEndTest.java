/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.manx.local.cluster.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tables, keyspaces, read threads and time-outs change while requests are planned and reads wait;
 * with a strategy that plans, ranks and copies, and with {@code MANX_FULL} with all six.
 */
@SharedNodes
@Timeout(300)
class SchemaChangesEndToEndTest {
  private static final int KEYS = 200;
  private static final int SOME = 40;
  // Slow storage, so that reads wait at each change though their clients leave the cores to it.
  private static final long SERVICE_NANOS = 10_000_000;
  private static final long USUAL_NANOS = 2_000_000;

  private static final Map<String, String> STRATEGIES =
      Map.of(
          "manx", "strategy: manx",
          "hedged", "strategy: manx-hedged",
          "tied", TiedOnBusyCores.DOCUMENT,
          "credits", "strategy: brb-credits",
          "held", "strategy: tailx",
          "rates",
              "strategy: { select: select.c3-rate-control, facts: [pending-reads, service-time] }");

  private ThreeNodes nodes;
  private CqlSession session;
  private PreparedStatement multiget;
  private long[] faults;

  @BeforeEach
  void fill(ThreeNodes fixture) {
    nodes = fixture;
    session = nodes.session().driver();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS sc"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    session.execute(
        "CREATE TABLE IF NOT EXISTS sc.t (k int PRIMARY KEY, v int) WITH memtable = 'modelled'");
    CheckedLoad.fill(session, session.prepare("INSERT INTO sc.t (k, v) VALUES (?, ?)"), KEYS);
    multiget = session.prepare("SELECT k, v FROM sc.t WHERE k IN ?");
    faults = IntStream.range(0, 3).mapToLong(node -> counter(node, "faults")).toArray();
  }

  @AfterEach
  void off() throws Exception {
    readThreads(2);
    service(USUAL_NANOS);
    nodes.usualReadTimeout();
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  static Stream<String> strategies() {
    boolean full = "1".equals(System.getenv("MANX_FULL"));
    return full ? STRATEGIES.keySet().stream().sorted() : Stream.of("hedged");
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void changesUnderLoadCostNoReadAndLeaveNothingBehind(String strategy) throws Exception {
    service(SERVICE_NANOS);
    nodes.set("document", STRATEGIES.get(strategy));
    nodes.set("mode", "on");
    Victims victims = new Victims();
    CheckedLoad load = new CheckedLoad(session, multiget, KEYS);
    try (load;
        victims) {
      load.go(2 * SOME);
      victims.replaceTable();
      load.go(SOME);
      change("TRUNCATE sc.victim");
      replication(2);
      load.go(SOME);
      readThreads(1);
      change("ALTER TABLE sc.t WITH speculative_retry = 'ALWAYS'");
      // Stock itself fails reads of a table that gets a column, until all replicas know it.
      change("ALTER TABLE sc.victim ADD more text");
      load.go(SOME);
      readThreads(5);
      change("ALTER TABLE sc.t WITH speculative_retry = 'NONE'");
      replication(3);
      nodes.readTimeout(Duration.ofSeconds(20));
      load.go(SOME);
      nodes.usualReadTimeout();
      readThreads(2);
      change("ALTER TABLE sc.victim DROP more");
      load.go(SOME);
      change("DROP TABLE sc.victim");
      load.go(SOME);
    }
    System.out.printf(
        "%s: %d checked, %d of dropped tables%n", strategy, load.answered(), victims.asked.get());
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors()).isEmpty();
    assertThat(victims.asked.get()).isPositive();
    for (int node = 0; node < 3; node++) {
      leavesNothing(node);
    }
  }

  private void leavesNothing(int node) {
    assertThat(counter(node, "faults")).as("faults of node %d", node).isEqualTo(faults[node]);
    assertThat(status(node)).containsEntry("mode", "on");
    assertThat(nodes.table(node, "manx.hooks", "state").values()).doesNotContain("failed");
    Waiting.until(
        "nothing is left at node " + (node + 1) + " of " + left(node),
        () -> left(node).values().stream().allMatch(value -> value.startsWith("0")));
    Tickets.awaitBalance(() -> nodes.table(node, "manx.counters", "value"));
    Waiting.until(
        "dropped tables are forgotten",
        () -> !nodes.table(node, "manx.tables", "reads").containsKey("sc.victim"));
  }

  /** The fill levels that return to zero. */
  private Map<String, String> left(int node) {
    Map<String, String> rows = new TreeMap<>(status(node));
    rows.keySet()
        .retainAll(
            List.of(
                "tickets.open",
                "in-flight.keys",
                "in-flight.bytes",
                "in-flight.timed-reads",
                "queue.ranked",
                "queue.in-turn",
                "copies.armed",
                "copies.followed",
                "copies.under-way",
                "copies.offered",
                "copies.passed-on",
                "copies.waiting",
                "holds.reads"));
    return rows;
  }

  /** To drop a table takes many seconds under load, in stock, too. */
  private void change(String statement) {
    session.execute(SimpleStatement.newInstance(statement).setTimeout(Duration.ofMinutes(1)));
  }

  private void replication(int factor) {
    change(
        "ALTER KEYSPACE sc WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
            + factor
            + "}");
  }

  private void service(long nanos) {
    for (int node = 0; node < 3; node++) {
      nodes.service(node, nanos);
    }
  }

  /** As {@code nodetool setconcurrency ReadStage}. */
  private void readThreads(int threads) throws Exception {
    for (Node node : nodes.cluster().nodes()) {
      OneNode.<Object>jmx(
          node,
          server ->
              server.invoke(
                  new ObjectName("org.apache.cassandra.db:type=StorageService"),
                  "setConcurrency",
                  new Object[] {"ReadStage", -1, threads},
                  new String[] {"java.lang.String", "int", "int"}));
    }
  }

  private Map<String, String> status(int node) {
    return nodes.table(node, "manx.strategy", "value");
  }

  private long counter(int node, String name) {
    return Long.parseLong(nodes.table(node, "manx.counters", "value").get(name));
  }

  /** Clients of a table that is dropped, made again and truncated; their errors do not matter. */
  private final class Victims implements AutoCloseable {
    private static final int CLIENTS = 3;
    final AtomicLong asked = new AtomicLong();
    private final List<Thread> clients;
    private volatile boolean ended;

    Victims() {
      make();
      clients =
          IntStream.range(0, CLIENTS)
              .mapToObj(i -> new Thread(() -> run(new SplittableRandom(i)), "victim-" + i))
              .toList();
      clients.forEach(Thread::start);
    }

    private void run(SplittableRandom random) {
      while (!ended) {
        List<Integer> keys = random.ints(1 + random.nextInt(12), 0, KEYS).boxed().toList();
        try {
          SimpleStatement asks =
              random.nextInt(4) == 0
                  ? SimpleStatement.newInstance("SELECT k, v FROM sc.victim LIMIT 50")
                  : SimpleStatement.newInstance("SELECT k, v FROM sc.victim WHERE k IN ?", keys);
          session.execute(asks).all();
        } catch (DriverException e) {
          // The table is gone, or its replicas disagree on that.
        }
        asked.incrementAndGet();
      }
    }

    private void make() {
      change(
          "CREATE TABLE IF NOT EXISTS sc.victim (k int PRIMARY KEY, v int)"
              + " WITH memtable = 'modelled'");
    }

    /** A table of the same name has the rows that were written to it, and no others. */
    void replaceTable() {
      change("DROP TABLE sc.victim");
      make();
      List<Integer> keys = IntStream.range(0, 12).map(key -> key * 5).boxed().toList();
      List<String> written = new ArrayList<>();
      for (int key : keys) {
        nodes.write("INSERT INTO sc.victim (k, v) VALUES (?, ?)", key, -key);
        written.add(key + "=" + -key);
      }
      assertThat(
              CheckedLoad.found(
                  session.execute(
                      SimpleStatement.newInstance(
                          "SELECT k, v FROM sc.victim WHERE k IN ?", keys))))
          .containsExactlyInAnyOrderElementsOf(written);
    }

    @Override
    public void close() {
      ended = true;
      for (Thread client : clients) {
        try {
          client.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException(e);
        }
      }
    }
  }
}
