/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Stock's retries of reads that only wait are held, most are never sent, and every row is right.
 */
@SharedNodes
@Timeout(300)
class RetriesEndToEndTest {
  private static final int KEYS = 60;
  private static final int AT_ONCE = 20;

  private ThreeNodes nodes;

  @AfterEach
  void off() {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  @ParameterizedTest
  @EnumSource(
      value = DefaultConsistencyLevel.class,
      names = {"ONE", "QUORUM"})
  void retriesOfReadsThatOnlyWaitAreSpared(DefaultConsistencyLevel level, ThreeNodes fixture)
      throws Exception {
    nodes = fixture;
    CqlSession session = nodes.session().driver();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS retries"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    session.execute(
        "CREATE TABLE IF NOT EXISTS retries.t (k int PRIMARY KEY, v int)"
            + " WITH memtable = 'modelled' AND speculative_retry = '10ms'");
    session.execute("ALTER TABLE retries.t WITH speculative_retry = '10ms'");
    CheckedLoad.fill(session, session.prepare("INSERT INTO retries.t (k, v) VALUES (?, ?)"), KEYS);
    nodes.set("document", "strategy: manx");
    nodes.set("mode", "on");
    long held = counter("retries_held");
    long spared = counter("retries_spared");
    long faults = counter("faults");
    long timeouts = nodes.timeouts();
    PreparedStatement multiget = session.prepare("SELECT k, v FROM retries.t WHERE k IN ?");
    List<Integer> keys = IntStream.range(0, KEYS).boxed().toList();
    Node coordinator = nodes.admin().nodes().get(0);
    Runnable asks =
        () -> {
          List<CompletionStage<AsyncResultSet>> asked =
              IntStream.range(0, AT_ONCE)
                  .mapToObj(
                      i ->
                          session.executeAsync(
                              multiget.bind(keys).setConsistencyLevel(level).setNode(coordinator)))
                  .toList();
          asked.forEach(one -> assertThat(rows(one)).isEqualTo(CheckedLoad.right(keys)));
        };
    Waiting.until(
        "retries are spared",
        () -> {
          asks.run();
          return counter("retries_spared") > spared;
        });
    assertThat(counter("retries_held") - held).isGreaterThanOrEqualTo(1);
    Waiting.until(
        "nothing is held",
        () -> nodes.table(0, "manx.strategy", "value").get("holds.reads").startsWith("0 of"));
    session.execute("ALTER TABLE retries.t WITH speculative_retry = 'ALWAYS'");
    long before = counter("retries_held");
    asks.run();
    assertThat(counter("retries_held"))
        .as("the second reads of a table that is always read twice, though its statement is older")
        .isEqualTo(before);
    assertThat(counter("faults")).isEqualTo(faults);
    assertThat(nodes.timeouts()).as("time-outs of messages").isEqualTo(timeouts);
  }

  private static List<String> rows(CompletionStage<AsyncResultSet> asked) {
    return CheckedLoad.found(asked.toCompletableFuture().join().currentPage());
  }

  private long counter(String name) {
    return Long.parseLong(nodes.table(0, "manx.counters", "value").get(name));
  }
}
