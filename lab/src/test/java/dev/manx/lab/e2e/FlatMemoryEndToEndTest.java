/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import dev.manx.policy.strategy.Presets;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Manx's memory on nodes does not grow with requests: its live objects, counted by the JVM after a
 * full collection, are as many after hundreds of thousands of requests as after some thousand.
 * Together with Cassandra's they then take up no more of the heap.
 */
@SharedNodes
@Timeout(1_200)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full watches the heaps of nodes under load")
class FlatMemoryEndToEndTest {
  private static final int KEYS = 2_000;
  private static final int FIRST = 5_000;
  // Requests per wait.
  private static final int AT_ONCE = 5_000;
  private static final int MORE = 200_000;
  // Allowed number of further objects on a node, from threads that had not served a request before.
  private static final long SLACK = 2_000;
  // Each node serves some 430,000 of the reads: 5 bytes kept for each of them would be more.
  private static final long SLACK_BYTES = 2 << 20;
  private static final Pattern OURS =
      Pattern.compile("^ *\\d+: +(\\d+) +\\d+ +(dev\\.manx\\.\\S+).*");
  private static final Pattern TOTAL = Pattern.compile("^Total +\\d+ +(\\d+)");

  private ThreeNodes nodes;
  private PreparedStatement multiget;

  @BeforeEach
  void fill(ThreeNodes fixture) {
    nodes = fixture;
    CqlSession session = nodes.session().driver();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS flat"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    session.execute("CREATE TABLE IF NOT EXISTS flat.t (k int PRIMARY KEY, v int)");
    PreparedStatement insert = session.prepare("INSERT INTO flat.t (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    multiget = session.prepare("SELECT k, v FROM flat.t WHERE k IN ?");
  }

  @AfterEach
  void off() {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"manx", "manx-hedged", "manx-tied", "brb-credits"})
  void liveObjectsDoNotGrowWithRequests(String preset) throws Exception {
    nodes.set(
        "document",
        preset.equals("manx-tied")
            ? TiedOnBusyCores.DOCUMENT
            : Presets.find(preset).orElseThrow().document());
    nodes.set("mode", "on");
    ask(FIRST);
    Live before = live();
    ask(MORE);
    Live after = live();
    System.out.printf(
        "%s: %d live objects of Manx on node 1 after %d requests, %d after %d more;"
            + " all live objects %d and %d KiB%n",
        preset, before.sum(), FIRST, after.sum(), MORE, before.bytes >> 10, after.bytes >> 10);
    assertThat(before.sum()).as("the histogram names Manx's classes").isPositive();
    assertThat(before.bytes).as("the histogram ends with a sum").isPositive();
    assertThat(after.sum())
        .as("live objects; most grown: %s", grown(before.ours, after.ours))
        .isLessThan(before.sum() + SLACK);
    assertThat(after.bytes).as("bytes of all live objects").isLessThan(before.bytes + SLACK_BYTES);
  }

  private void ask(int requests) {
    CheckedLoad load = new CheckedLoad(nodes.session().driver(), multiget, KEYS);
    try (load) {
      for (int asked = 0; asked < requests; asked += AT_ONCE) {
        load.go(AT_ONCE);
      }
    }
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors()).isEmpty();
  }

  /** Of the first node: live objects by class of Manx, and the bytes of all there are. */
  private record Live(Map<String, Long> ours, long bytes) {
    long sum() {
      return ours.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private Live live() throws Exception {
    String histogram =
        OneNode.jmx(
            nodes.cluster().nodes().get(0),
            server ->
                (String)
                    server.invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()}));
    Map<String, Long> live = new TreeMap<>();
    histogram
        .lines()
        .map(OURS::matcher)
        .filter(Matcher::matches)
        .forEach(line -> live.merge(line.group(2), Long.parseLong(line.group(1)), Long::sum));
    long bytes =
        histogram
            .lines()
            .map(TOTAL::matcher)
            .filter(Matcher::find)
            .mapToLong(line -> Long.parseLong(line.group(1)))
            .sum();
    return new Live(live, bytes);
  }

  private static String grown(Map<String, Long> before, Map<String, Long> after) {
    return after.entrySet().stream()
        .max(Comparator.comparingLong(e -> e.getValue() - before.getOrDefault(e.getKey(), 0L)))
        .map(e -> e.getKey() + " from " + before.get(e.getKey()) + " to " + e.getValue())
        .orElse("none");
  }
}
