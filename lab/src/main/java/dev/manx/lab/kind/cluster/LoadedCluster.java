/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.lab.experiment.Closer;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.RunException;
import dev.manx.load.CassandraSession;
import dev.manx.load.CassandraSettings;
import dev.manx.load.CassandraTarget;
import dev.manx.load.DataLoader;
import dev.manx.load.DriverSettings;
import dev.manx.load.KvTable;
import dev.manx.load.NodeAdmin;
import dev.manx.load.Paging;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import dev.manx.workload.Workload;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A booted cluster that holds an experiment's data, and the sessions to drive it. */
final class LoadedCluster implements AutoCloseable {
  // Not manx_lab: the model's virtual table uses that keyspace.
  static final String KEYSPACE = "lab";
  private static final String TABLE = "kv";
  private static final int LOAD_CONCURRENCY = 64;
  private static final int LOAD_TRIES = 10;
  private static final int VERIFIED_KEYS = 200;

  private final LocalCluster cluster;
  private final boolean owned;
  private final KvTable table;
  private final CassandraSession session;
  private final NodeAdmin admin;
  private final List<Node> nodes;
  private final Map<Profile, CassandraTarget> targets = new HashMap<>();
  private final Optional<NodeStorage> storage;
  private StockSettings stock = null;

  private LoadedCluster(
      LocalCluster cluster, boolean owned, KvTable table, Optional<NodeStorage> storage) {
    this.cluster = cluster;
    this.owned = owned;
    this.table = table;
    this.storage = storage;
    this.session = table.session();
    this.admin = new NodeAdmin(session);
    this.nodes = driverNodes(cluster, admin);
  }

  /** Boots nodes that end with this object, creates the table, loads and verifies. */
  static LoadedCluster boot(
      ClusterSettings settings,
      ClusterExperiment experiment,
      Workload workload,
      ManxHome home,
      Path work,
      Progress progress)
      throws InterruptedException {
    if (settings.storage() != null) {
      NodeStorage.check(settings.storage(), work);
    }
    LocalCluster cluster = LocalCluster.start(settings, home, work, progress::now);
    try (Closer<RuntimeException> undo = new Closer<>()) {
      undo.add(cluster::close);
      LoadedCluster bench = on(cluster, true, experiment, workload, progress);
      undo.release();
      return bench;
    }
  }

  /**
   * Creates the table, loads and verifies on nodes that already run.
   *
   * @param owned whether the nodes end with this object
   */
  static LoadedCluster on(
      LocalCluster cluster,
      boolean owned,
      ClusterExperiment experiment,
      Workload workload,
      Progress progress)
      throws InterruptedException {
    Optional<NodeStorage> storage =
        Optional.ofNullable(cluster.settings().storage()).map(limits -> NodeStorage.of(cluster));
    try (Closer<RuntimeException> undo = new Closer<>()) {
      storage.ifPresent(one -> undo.add(one::close));
      if (owned) {
        undo.add(cluster::close);
      }
      CassandraSession session =
          CassandraSession.open(
              settings(experiment, cluster),
              experiment.arms().stream().flatMap(arm -> arm.driver().stream()).toList());
      undo.add(session::close);
      KvTable table =
          new KvTable(
              session,
              workload.keySpace(),
              experiment.background().buckets(workload.keySpace().keys()));
      load(experiment, table, progress);
      storage.ifPresent(one -> one.flush(KEYSPACE));
      LoadedCluster bench = new LoadedCluster(cluster, owned, table, storage);
      cluster.checkAlive();
      undo.release();
      return bench;
    }
  }

  private static CassandraSettings settings(ClusterExperiment experiment, LocalCluster cluster) {
    int first = cluster.settings().coordinatorsOnly() == 0 ? 0 : cluster.settings().dataNodes();
    return new CassandraSettings(
        cluster.nodes().stream()
            .skip(first)
            .map(
                node ->
                    new InetSocketAddress(node.address(), dev.manx.local.cluster.Node.NATIVE_PORT))
            .toList(),
        "datacenter1",
        KEYSPACE,
        TABLE,
        experiment.client().consistency().toUpperCase(Locale.ROOT),
        experiment.client().timeoutNanos(),
        experiment.client().coordinators().equals("round-robin")
            ? CassandraSettings.Coordinators.ROUND_ROBIN
            : CassandraSettings.Coordinators.DRIVER_DEFAULT,
        first > 0);
  }

  private static void load(ClusterExperiment experiment, KvTable table, Progress progress)
      throws InterruptedException {
    DataLoader loader = new DataLoader(table);
    table.create(
        experiment.cluster().topology().replication(experiment.replicationFactor()),
        tableOptions(experiment.cluster()));
    loader.load(
        1,
        LOAD_CONCURRENCY,
        LOAD_TRIES,
        (done, total) -> progress.now("loading " + done + " of " + total + " keys"));
    int bad = loader.verify(VERIFIED_KEYS);
    if (bad > 0) {
      throw new RunException(
          bad
              + " of "
              + VERIFIED_KEYS
              + " keys were read back wrong from the replicas after loading");
    }
  }

  private static String tableOptions(ClusterSettings cluster) {
    if (cluster.storage() != null) {
      // A read fetches only its data, without other reads or writes.
      return "compression = {'enabled': false} AND caching = {'keys': 'NONE'}"
          + " AND read_repair = 'NONE'";
    }
    return cluster.model() == null ? "" : "memtable = 'modelled'";
  }

  private static List<Node> driverNodes(LocalCluster cluster, NodeAdmin admin) {
    List<Node> nodes = new ArrayList<>();
    for (dev.manx.local.cluster.Node node : cluster.nodes()) {
      try {
        nodes.add(admin.node(InetAddress.getByName(node.address())));
      } catch (UnknownHostException e) {
        throw new IllegalStateException("a numeric address is not a name", e);
      }
    }
    return nodes;
  }

  /** The driver's view of the nodes, in order. */
  List<Node> nodes() {
    return nodes;
  }

  NodeAdmin admin() {
    return admin;
  }

  LocalCluster cluster() {
    return cluster;
  }

  /**
   * Runs work on the nodes, which must not die meanwhile.
   *
   * @throws dev.manx.local.cluster.ClusterException with the end of its log if one has died
   */
  <T> T whileAlive(LivingNodes.Work<T> work) throws InterruptedException {
    return LivingNodes.run(cluster::checkAlive, work);
  }

  /** The limits of its storage; empty if its data is in memory. */
  Optional<NodeStorage> storage() {
    return storage;
  }

  KvTable table() {
    return table;
  }

  CassandraTarget target(ClusterArm arm) {
    return target(new Profile(arm.paged() ? Paging.DRIVER_DEFAULT : Paging.OFF, arm.driver()));
  }

  /** A target for arms without driver settings. */
  CassandraTarget target() {
    return target(new Profile(Paging.OFF, Optional.empty()));
  }

  private CassandraTarget target(Profile profile) {
    return targets.computeIfAbsent(
        profile,
        key ->
            key.driver()
                .map(driver -> new CassandraTarget(session, table.keySpace(), key.paging(), driver))
                .orElseGet(() -> new CassandraTarget(session, table.keySpace(), key.paging())));
  }

  private record Profile(Paging paging, Optional<DriverSettings> driver) {}

  /**
   * Applies an arm's settings of stock Cassandra. Its dynamic snitch begins without scores; nodes
   * that boot without one have none.
   *
   * @throws RunException if a node refuses it
   */
  void stock(StockSettings wanted) {
    if (stock == null || !stock.speculativeRetry().equals(wanted.speculativeRetry())) {
      try {
        table.option("speculative_retry = '" + wanted.speculativeRetry() + "'");
      } catch (DriverException e) {
        throw new RunException(
            "the nodes did not set speculative_retry of the table: " + e.getMessage(), e);
      }
    }
    String below = cluster.settings().snitch();
    boolean dynamic = wanted.dynamicSnitch() && cluster.settings().dynamicSnitch();
    cluster.nodes().forEach(node -> NodeJmx.snitch(node, below, dynamic));
    stock = wanted;
  }

  /**
   * Exchanges the latencies that determine speculative retries for those of an arm's earlier turns.
   * Only nodes with the service model can do it.
   *
   * @throws RunException if a node refuses it
   */
  void latenciesOf(String arm) {
    if (cluster.settings().model() == null) {
      return;
    }
    for (Node node : nodes) {
      try {
        admin.execute(
            node,
            "UPDATE manx_lab.speculation SET latencies_of = ?"
                + " WHERE keyspace_name = ? AND table_name = ?",
            arm,
            KEYSPACE,
            TABLE);
      } catch (DriverException e) {
        throw new RunException(
            node.getEndPoint() + " does not exchange its latencies: " + e.getMessage(), e);
      }
    }
  }

  /**
   * Applies an arm's settings of stock Cassandra to one node after a restart.
   *
   * @param index of the node, from 0
   */
  void stockAgain(int index, StockSettings wanted) {
    if (!wanted.dynamicSnitch()) {
      NodeJmx.snitch(cluster.nodes().get(index), cluster.settings().snitch(), false);
    }
  }

  /** Groups are removed when their processes have ended. */
  @Override
  public void close() {
    try (Closer<RuntimeException> all = new Closer<>()) {
      storage.ifPresent(one -> all.add(one::close));
      if (owned) {
        all.add(cluster::close);
      }
      all.add(session::close);
    }
  }
}
