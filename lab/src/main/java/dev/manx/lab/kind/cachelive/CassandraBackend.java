/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.protocol.internal.util.Bytes;
import dev.manx.client.Loader;
import dev.manx.lab.experiment.Closer;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.load.CassandraSession;
import dev.manx.load.CassandraSettings;
import dev.manx.load.KvTable;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import dev.manx.local.cluster.Node;
import dev.manx.workload.CheckedValues;
import dev.manx.workload.KeySpace;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A table on one stock node of Apache Cassandra, read through the driver with concurrent single-key
 * reads.
 */
final class CassandraBackend implements LiveBackend {
  private static final String KEYSPACE = "lab";
  private static final String TABLE = "kv";
  private static final int WRITES = 32;
  private static final int TRIES = 10;
  private static final int VERIFIED = 100;

  private final BackendPlan plan;
  private final KeySpace keySpace;
  private final LocalCluster cluster;
  private final CassandraSession session;
  private final PreparedStatement select;

  private CassandraBackend(
      BackendPlan plan, KeySpace keySpace, LocalCluster cluster, CassandraSession session) {
    this.plan = plan;
    this.keySpace = keySpace;
    this.cluster = cluster;
    this.session = session;
    select = session.driver().prepare("SELECT v FROM " + KEYSPACE + "." + TABLE + " WHERE k = ?");
  }

  /** Boots a node, creates and loads the table, and verifies a part of it. */
  static CassandraBackend start(BackendPlan plan, ManxHome home, Path work, Progress progress)
      throws InterruptedException {
    KeySpace keySpace = BlockingBackend.keySpace(plan);
    LocalCluster cluster =
        LocalCluster.start(settings(keySpace.totalBytes()), home, work, progress::now);
    try (Closer<RuntimeException> undo = new Closer<>()) {
      undo.add(cluster::close);
      CassandraSession session = CassandraSession.open(settings(cluster));
      undo.add(session::close);
      KvTable table = new KvTable(session, keySpace, 0);
      dev.manx.load.DataLoader loader = new dev.manx.load.DataLoader(table);
      table.create("{'class': 'SimpleStrategy', 'replication_factor': 1}", "");
      loader.load(
          1,
          WRITES,
          TRIES,
          (done, total) -> progress.now("loading " + done + " of " + total + " rows"));
      if (loader.verify(VERIFIED) > 0) {
        throw new RunException("rows of " + plan.name() + " read back wrong after loading");
      }
      CassandraBackend backend = new CassandraBackend(plan, keySpace, cluster, session);
      undo.release();
      return backend;
    }
  }

  /** One node as shipped, without the plugin, as an ordinary backend. */
  private static ClusterSettings settings(long dataBytes) {
    ClusterSettings like = ClusterSettings.defaults();
    return new ClusterSettings(
        1,
        like.firstHost(),
        like.concurrentReads(),
        like.heapBytes(),
        like.tokens(),
        like.readTimeoutNanos(),
        like.jit(),
        dataBytes,
        null,
        false,
        Map.of(),
        List.of());
  }

  private static CassandraSettings settings(LocalCluster cluster) {
    return new CassandraSettings(
        cluster.nodes().stream()
            .map(node -> new InetSocketAddress(node.address(), Node.NATIVE_PORT))
            .toList(),
        "datacenter1",
        KEYSPACE,
        TABLE,
        "ONE",
        2_000_000_000L,
        CassandraSettings.Coordinators.DRIVER_DEFAULT);
  }

  @Override
  public BackendPlan plan() {
    return plan;
  }

  @Override
  public Loader<Integer, byte[]> loader() {
    return keys -> {
      Map<Integer, byte[]> found = new ConcurrentHashMap<>();
      CompletableFuture<?>[] reads =
          keys.stream()
              .map(
                  key ->
                      session
                          .driver()
                          .executeAsync(select.bind(keySpace.key(key)))
                          .thenAccept(rows -> keep(found, key, rows))
                          .toCompletableFuture())
              .toArray(CompletableFuture[]::new);
      return CompletableFuture.allOf(reads).thenApply(done -> found);
    };
  }

  private static void keep(Map<Integer, byte[]> found, int key, AsyncResultSet rows) {
    Row row = rows.one();
    ByteBuffer value = row == null ? null : row.getByteBuffer(0);
    if (value != null) {
      found.put(key, Bytes.getArray(value));
    }
  }

  @Override
  public boolean right(int key, byte[] value) {
    return CheckedValues.verify(keySpace.key(key), ByteBuffer.wrap(value))
        == CheckedValues.Verdict.OK;
  }

  @Override
  public boolean alive() {
    cluster.checkAlive();
    return true;
  }

  @Override
  public String describe() {
    return "a table of Apache Cassandra "
        + session.nodes().get(0).getCassandraVersion()
        + ", one node, through the driver";
  }

  @Override
  public void close() {
    try (Closer<RuntimeException> all = new Closer<>()) {
      all.add(cluster::close);
      all.add(session::close);
    }
  }
}
