/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.load.CassandraSettings.Coordinators;
import dev.manx.workload.CheckedValues;
import dev.manx.workload.KeySpace;
import dev.manx.workload.PlannedRequest;
import dev.manx.workload.RequestClass;
import dev.manx.workload.SizeClass;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The coordinators of background work and the check of its answers, without a cluster. */
@Timeout(60)
class BackgroundTargetTest {
  private static final Background EACH = new Background(1, 1, 1, 1, 1);

  private final List<InetSocketAddress> addresses = new ArrayList<>();
  private final Map<UUID, Node> nodes = new LinkedHashMap<>();
  private final List<Node> chosen = new ArrayList<>();
  private final KeySpace keys = new KeySpace(10, List.of(new SizeClass(64, 1)), 65, 1);

  BackgroundTargetTest() {
    for (int i = 1; i <= 5; i++) {
      String datacenter = i <= 4 ? "datacenter1" : "datacenter2";
      InetSocketAddress address = new InetSocketAddress("127.0.0." + i, 9042);
      addresses.add(address);
      EndPoint endPoint = fake(EndPoint.class, (self, method, arguments) -> address);
      nodes.put(
          new UUID(0, i),
          fake(
              Node.class,
              (self, method, arguments) ->
                  switch (method.getName()) {
                    case "getDatacenter" -> datacenter;
                    case "getOpenConnections" -> 1;
                    default -> endPoint;
                  }));
    }
  }

  private static <T> T fake(Class<T> type, InvocationHandler answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(self);
                  case "equals" -> self == arguments[0];
                  case "toString" -> type.getSimpleName();
                  default -> answers.invoke(self, method, arguments);
                }));
  }

  /** A session whose statements fail, and record the node that they are sent to. */
  private CqlSession driver() {
    return driver(CompletableFuture.failedFuture(new IllegalStateException("no cluster")));
  }

  private CqlSession driver(CompletableFuture<AsyncResultSet> answer) {
    Node[] node = new Node[1];
    BoundStatement bound =
        fake(
            BoundStatement.class,
            (self, method, arguments) -> {
              if (method.getName().equals("setNode")) {
                node[0] = (Node) arguments[0];
              }
              return self;
            });
    PreparedStatement prepared = fake(PreparedStatement.class, (self, method, arguments) -> bound);
    Metadata metadata = fake(Metadata.class, (self, method, arguments) -> nodes);
    return fake(
        CqlSession.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "getMetadata" -> metadata;
              case "prepare" -> prepared;
              case "executeAsync" -> {
                chosen.add(node[0]);
                node[0] = null;
                yield answer;
              }
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  private CassandraSettings settings(boolean contactPointsOnly) {
    return new CassandraSettings(
        addresses.subList(2, 5),
        "datacenter1",
        "ks",
        "kv",
        "ONE",
        1,
        contactPointsOnly ? Coordinators.ROUND_ROBIN : Coordinators.DRIVER_DEFAULT,
        contactPointsOnly);
  }

  private void send(RequestClass kind, boolean contactPointsOnly) {
    KvTable table =
        new KvTable(new CassandraSession(settings(contactPointsOnly), driver()), keys, 10);
    BackgroundTarget target = BackgroundTarget.of(kind, EACH, table);
    for (int sequence = 0; sequence < 3; sequence++) {
      target.send(new PlannedRequest(sequence, 0, false, 1));
    }
  }

  /** Otherwise nodes that only hold data coordinate as well, and their threads serve both. */
  @Test
  void onlyNodesThatCoordinateGetBackgroundWork() {
    List<Node> coordinating = List.copyOf(nodes.values()).subList(2, 4);
    for (RequestClass kind : EACH.rates().keySet()) {
      chosen.clear();
      send(kind, true);
      assertThat(chosen)
          .as(kind.label())
          .containsExactly(coordinating.get(0), coordinating.get(1), coordinating.get(0));
    }
  }

  /** A row of a key with the value of a key. */
  private static Row row(String key, String owner, int bucket) {
    return fake(
        Row.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "getString" -> key;
              case "getByteBuffer" -> CheckedValues.encode(owner, 1, 64);
              case "getInt" -> bucket;
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  private Row row(int id, int owner) {
    return row(keys.key(id), keys.key(owner), id % 5);
  }

  private Row row(int id) {
    return row(id, id);
  }

  /**
   * The outcome of work at key 1 that the given rows answer: scans of 3 rows, and index reads of 5
   * buckets, of which one contains the keys 1 and 6.
   */
  private RequestOutcome outcome(RequestClass kind, Row... rows) {
    AsyncResultSet page =
        fake(
            AsyncResultSet.class,
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "currentPage" -> List.of(rows);
                  default -> throw new UnsupportedOperationException(method.toString());
                });
    CqlSession driver = driver(CompletableFuture.completedFuture(page));
    KvTable table = new KvTable(new CassandraSession(settings(false), driver), keys, 5);
    return BackgroundTarget.of(kind, new Background(1, 3, 1, 2, 1), table)
        .send(new PlannedRequest(0, 0, false, 1))
        .toCompletableFuture()
        .join();
  }

  private static RequestOutcome found(int rows, int wrong, int missing, int duplicates) {
    return new RequestOutcome(RequestOutcome.Kind.OK, rows, wrong, missing, duplicates, "");
  }

  @Test
  void indexReadsReturnEachKeyOfTheirBucketOnce() {
    RequestClass index = RequestClass.INDEX;
    assertThat(outcome(index, row(6), row(1))).isEqualTo(RequestOutcome.ok(2));
    assertThat(outcome(index, row(1), row(1))).isEqualTo(found(2, 0, 1, 1));
    assertThat(outcome(index, row(1))).isEqualTo(found(1, 0, 1, 0));
    assertThat(outcome(index)).isEqualTo(found(0, 0, 2, 0));
    assertThat(outcome(index, row(1), row(2))).as("other bucket").isEqualTo(found(2, 1, 1, 0));
    assertThat(outcome(index, row(1), row(6), row("64_11", "64_11", 1)))
        .as("too many")
        .isEqualTo(found(3, 1, 0, 0));
    assertThat(outcome(index, row(1), row(6, 1))).isEqualTo(found(2, 1, 0, 0));
  }

  @Test
  void scansReturnTheirFirstKeyAndNoKeyTwice() {
    RequestClass scan = RequestClass.SCAN;
    assertThat(outcome(scan, row(1), row(7), row(4))).isEqualTo(RequestOutcome.ok(3));
    assertThat(outcome(scan, row(1))).as("at the end of the ring").isEqualTo(RequestOutcome.ok(1));
    assertThat(outcome(scan, row(7), row(4))).isEqualTo(found(2, 0, 1, 0));
    assertThat(outcome(scan)).isEqualTo(found(0, 0, 1, 0));
    assertThat(outcome(scan, row(1), row(7), row(7))).isEqualTo(found(3, 0, 0, 1));
    assertThat(outcome(scan, row(1), row(7), row(4), row(2))).isEqualTo(found(4, 1, 0, 0));
    assertThat(outcome(scan, row(1), row(7, 4))).isEqualTo(found(2, 1, 0, 0));
  }

  @Test
  void otherwiseTheDriverChooses() {
    send(RequestClass.SCAN, false);
    assertThat(chosen).containsExactly(null, null, null);
  }
}
