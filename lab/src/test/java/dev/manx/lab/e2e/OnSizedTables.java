/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Tests on tables of one replica and of three, whose keys say how many bytes their values have and
 * whose storage is a model.
 */
abstract class OnSizedTables {
  ThreeNodes nodes;

  @BeforeEach
  void schema(ThreeNodes fixture) {
    nodes = fixture;
    for (int replicas : new int[] {1, 3}) {
      nodes
          .admin()
          .execute(
              node(0),
              "CREATE KEYSPACE IF NOT EXISTS rf"
                  + replicas
                  + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
                  + replicas
                  + "}");
      nodes
          .admin()
          .execute(
              node(0),
              "CREATE TABLE IF NOT EXISTS rf"
                  + replicas
                  + ".t (k text PRIMARY KEY, v blob) WITH memtable = 'modelled'"
                  + " AND speculative_retry = 'NEVER'");
    }
    nodes
        .admin()
        .execute(
            node(0),
            "CREATE TABLE IF NOT EXISTS rf3.wide (k text, c int, v text, PRIMARY KEY (k, c))");
  }

  @AfterEach
  void off() {
    model(2_000_000, 50_000);
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  /** Reads that a node received since then, waiting or not. */
  final long served(int node, Map<String, Long> before) {
    Map<String, Long> counted = since(before, counters(node));
    return counted.get("order_queued") + counted.get("order_passed");
  }

  /** Reads of a table that a node has served from its own storage. */
  final long stored(int node, String keyspace, String table) {
    return (Long)
        nodes
            .admin()
            .rows(
                node(node),
                "SELECT count FROM system_views.local_read_latency"
                    + " WHERE keyspace_name = ? AND table_name = ?",
                keyspace,
                table)
            .get(0)
            .get("count");
  }

  final Node node(int index) {
    return nodes.admin().nodes().get(index);
  }

  final String mode(int node) {
    return nodes.table(node, "manx.strategy", "value").get("mode");
  }

  final Map<String, Long> counters(int node) {
    Map<String, Long> counters = new TreeMap<>();
    nodes
        .table(node, "manx.counters", "value")
        .forEach((name, value) -> counters.put(name, Long.valueOf(value)));
    return counters;
  }

  static Map<String, Long> since(Map<String, Long> before, Map<String, Long> now) {
    Map<String, Long> difference = new TreeMap<>();
    now.forEach((name, value) -> difference.put(name, value - before.getOrDefault(name, 0L)));
    return difference;
  }

  final void model(long baseNanos, long perKibNanos) {
    for (Node node : nodes.admin().nodes()) {
      String update = "UPDATE manx_lab.service_model SET value = ? WHERE name = ?";
      nodes.admin().execute(node, update, baseNanos, "base_nanos");
      nodes.admin().execute(node, update, perKibNanos, "per_kib_nanos");
    }
  }

  /** Keys whose first natural replica is a node, all in one of its token ranges. */
  final List<String> keysWithPrimary(String keyspace, int node, int bytes, int count) {
    var map = nodes.session().driver().getMetadata().getTokenMap().orElseThrow();
    TokenRange range = map.getTokenRanges(node(node)).iterator().next();
    List<String> keys = new ArrayList<>();
    for (int i = 0; keys.size() < count; i++) {
      String key = bytes + "_" + keyspace + i;
      ByteBuffer token = ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8));
      if (range.contains(map.newToken(token))) {
        keys.add(key);
      }
    }
    return keys;
  }

  final void write(String keyspace, String key) {
    int bytes = Integer.parseInt(key.substring(0, key.indexOf('_')));
    writeToAll(
        "INSERT INTO " + keyspace + ".t (k, v) VALUES (?, ?)", key, ByteBuffer.allocate(bytes));
  }

  /** Every replica has it afterwards, for the reads ask one of them. */
  final void writeToAll(String cql, Object... values) {
    nodes
        .session()
        .driver()
        .execute(
            SimpleStatement.newInstance(cql, values)
                .setNode(node(0))
                .setTimeout(Duration.ofSeconds(30))
                .setConsistencyLevel(DefaultConsistencyLevel.ALL));
  }

  private static SimpleStatement multiget(String keyspace, List<String> keys) {
    String marks = String.join(", ", Collections.nCopies(keys.size(), "?"));
    return SimpleStatement.newInstance(
        "SELECT k, v FROM " + keyspace + ".t WHERE k IN (" + marks + ")", keys.toArray());
  }

  final List<String> read(int node, String keyspace, List<String> keys, int pageSize) {
    return rows(node, multiget(keyspace, keys), pageSize).stream()
        .map(row -> row.getString("k"))
        .toList();
  }

  /** All rows over all pages; page size -1 is no paging, as the driver's profile has it. */
  final List<Row> rows(int node, SimpleStatement statement, int pageSize) {
    SimpleStatement sent = statement.setNode(node(node));
    if (pageSize > 0) {
      sent = sent.setPageSize(pageSize);
    } else {
      sent = sent.setExecutionProfile(unpaged());
    }
    return nodes.session().driver().execute(sent).all();
  }

  private DriverExecutionProfile unpaged() {
    return nodes
        .session()
        .driver()
        .getContext()
        .getConfig()
        .getDefaultProfile()
        .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, -1);
  }

  final CompletableFuture<AsyncResultSet> readAsync(int node, String keyspace, String key) {
    return nodes
        .session()
        .driver()
        .executeAsync(multiget(keyspace, Arrays.asList(key)).setNode(node(node)))
        .toCompletableFuture();
  }
}
