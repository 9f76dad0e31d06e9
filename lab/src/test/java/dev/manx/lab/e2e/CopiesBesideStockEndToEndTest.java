/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Second copies next to stock's own speculative retry, and reads without copies: those that need
 * two answers, and traced ones. One of three nodes is slow.
 */
@SharedNodes
@Timeout(300)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full compares copies with those of stock")
class CopiesBesideStockEndToEndTest {
  private static final int KEYS = 60;
  private static final int SLOW = 2;
  private static final long SLOW_NANOS = 100_000_000;
  private static final long USUAL_NANOS = 2_000_000;
  private static final int REQUESTS = 20;
  private static final int WIDTH = 6;
  private static final String HEDGED =
      """
      strategy:
        select: select.stock
        fanout: { policy: fanout.hedged, first-delay: 10ms, budget: 1, burst: 1000 }
        facts: [work-ahead]
      """;

  private ThreeNodes nodes;
  private CqlSession session;
  private CopyCounts copies;

  @BeforeEach
  void begin(ThreeNodes fixture) {
    nodes = fixture;
    session = nodes.session().driver();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS hs"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    nodes.set("document", HEDGED);
    nodes.set("mode", "on");
    copies = new CopyCounts(nodes, 0);
  }

  @AfterEach
  void off() {
    nodes.service(SLOW, USUAL_NANOS);
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  private PreparedStatement multiget(String speculativeRetry) {
    String table = "hs." + speculativeRetry.toLowerCase(Locale.ROOT) + "_t";
    table = table.replace("50p", "p50").replace("99p", "p99");
    session.execute(
        "CREATE TABLE IF NOT EXISTS "
            + table
            + " (k int PRIMARY KEY, v int) WITH memtable = 'modelled' AND speculative_retry = '"
            + speculativeRetry
            + "'");
    PreparedStatement insert = session.prepare("INSERT INTO " + table + " (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    return session.prepare("SELECT k, v FROM " + table + " WHERE k IN ?");
  }

  /** Sends multigets, some at a time, through the first node, and checks every row. */
  private List<ResultSet> ask(PreparedStatement multiget, UnaryOperator<BoundStatement> how) {
    List<ResultSet> answers = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      List<Integer> keys =
          IntStream.range(i * 3, i * 3 + WIDTH).map(key -> key % KEYS).boxed().toList();
      ResultSet answer = session.execute(how.apply(multiget.bind(keys).setNode(node(0))));
      Map<Integer, Integer> found = new HashMap<>();
      for (Row row : answer) {
        found.put(row.getInt("k"), row.getInt("v"));
      }
      Map<Integer, Integer> right = new HashMap<>();
      keys.forEach(key -> right.put(key, CheckedLoad.value(key)));
      assertThat(found).isEqualTo(right);
      answers.add(answer);
    }
    return answers;
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "50p", "99p", "ALWAYS"})
  void rowsAreRightBesideStocksOwnSpeculation(String speculativeRetry) {
    PreparedStatement multiget = multiget(speculativeRetry);
    nodes.service(SLOW, SLOW_NANOS);
    ask(multiget, statement -> statement);
    copies.haveEnded();
    Map<String, Long> counted = copies.counted();
    System.out.println("copies beside speculative_retry = " + speculativeRetry + ": " + counted);
    if (speculativeRetry.equals("ALWAYS")) {
      assertThat(counted.get("copies_sent")).as("stock has sent all reads twice").isZero();
    } else if (speculativeRetry.equals("NONE")) {
      assertThat(counted.get("copies_won")).isPositive();
    }
  }

  @Test
  void readsThatNeedTwoAnswersHaveNoCopies() {
    PreparedStatement multiget = multiget("NONE");
    nodes.service(SLOW, SLOW_NANOS);
    ask(multiget, statement -> statement.setConsistencyLevel(DefaultConsistencyLevel.QUORUM));
    copies.haveEnded();
    assertThat(copies.counted().get("copies_sent")).isZero();
    assertThat(copies.counted().get("copies_ineligible")).isEqualTo((long) REQUESTS * WIDTH);
  }

  @Test
  void tracedReadsHaveNoCopies() {
    PreparedStatement multiget = multiget("NONE");
    nodes.service(SLOW, SLOW_NANOS);
    List<ResultSet> answers = ask(multiget, statement -> statement.setTracing(true));
    copies.haveEnded();
    assertThat(copies.counted().get("copies_sent")).isZero();
    assertThat(copies.counted().get("copies_ineligible")).isPositive();
    assertThat(answers.get(0).getExecutionInfo().getTracingId()).isNotNull();
  }

  private Node node(int index) {
    return nodes.admin().nodes().get(index);
  }
}
