/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.nodes.KeyHash;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.record.EngineLog;
import dev.manx.policy.Request;
import dev.manx.policy.record.PlanPaging;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;

/** Turns a SELECT on whole partition keys into a planned {@link Request} of the calling thread. */
final class Planner {
  // Size of an answer before any was seen.
  private static final double UNSEEN_ANSWER_BYTES = 16_384;

  private Planner() {}

  /**
   * Plans the reads of a statement, or leaves it to stock.
   *
   * @param inFlight the limits that keep a multiget paged
   * @param aside whether requests are left to stock, so that this one is only followed
   * @return whether the thread's plan is filled and planned, but not yet open
   */
  static boolean plan(
      Engine engine,
      ThreadPlan plan,
      InFlight inFlight,
      TableMetadata table,
      Asked asked,
      ConsistencyLevel consistency,
      boolean aside) {
    EngineLog.Plan record = engine.log().plan();
    RandomGenerator random = record == null ? plan.random() : record.random();
    if (!fill(engine, plan, random, table, asked, consistency)) {
      engine.counters().count(Counter.REQUESTS_NOT_PLANNED);
      return false;
    }
    planFilled(engine, plan, record, inFlight, asked.unpaged(), aside);
    return true;
  }

  /**
   * Plans a filled request.
   *
   * @param record null if it is not recorded
   * @param unpages whether its paging is removed; in shadow mode, whether it would be
   */
  static void planFilled(
      Engine engine,
      ThreadPlan plan,
      EngineLog.Plan record,
      InFlight inFlight,
      boolean unpages,
      boolean aside) {
    Request request = plan.request();
    int[] stock = plan.stockFirst(request);
    long outer = engine.guard().stalls().enter(request.nowNanos());
    try {
      if (record == null) {
        engine.strategy().planFixed(request, engine.state());
      } else {
        engine.strategy().planFixed(request, record.freeze(request, engine.state()));
        record.finish(request, paging(engine, request, inFlight, unpages));
      }
    } finally {
      engine.guard().stalls().leave(outer);
    }
    count(engine, request, stock, aside);
  }

  /** In shadow mode too, so that no gain is predicted for a multiget that would stay paged. */
  private static PlanPaging paging(
      Engine engine, Request planned, InFlight inFlight, boolean unpages) {
    if (!unpages) {
      return PlanPaging.NONE;
    }
    return inFlight.admits(forecastBytes(engine, planned)) ? PlanPaging.STOCKS : PlanPaging.ALWAYS;
  }

  /**
   * Counts a plan and its decisions. Of a request that is only followed no decision takes effect,
   * or would in mode on.
   *
   * @param stock its replicas in stock order
   */
  static void count(Engine engine, Request planned, int[] stock, boolean aside) {
    engine.counters().count(Counter.SELECT_MENDED, planned.mended());
    engine.counters().count(Counter.REQUESTS_PLANNED);
    engine.counters().count(Counter.READS_PLANNED, planned.reads());
    if (aside) {
      return;
    }
    engine.counters().count(Counter.SELECT_DECISIONS, planned.reads());
    int changed = 0;
    for (int read = 0; read < planned.reads(); read++) {
      changed += sameContacts(planned, read, stock) ? 0 : 1;
    }
    if (changed > 0) {
      engine.counters().count(Counter.SELECT_CHANGED, changed);
    }
  }

  /** The forecast size of a planned request's result. */
  static long forecastBytes(Engine engine, Request planned) {
    return engine.strategy().sizes() == null
        ? planned.reads() * meanBytes(engine)
        : planned.totalBytes();
  }

  /**
   * The largest forecast of the strategy for the result of a number of keys, whichever they are.
   */
  static long mostBytes(Engine engine, int keys) {
    long each =
        engine.strategy().sizes() == null ? meanBytes(engine) : engine.strategy().mostSizeBytes();
    return each > Long.MAX_VALUE / keys ? Long.MAX_VALUE : keys * each;
  }

  // Strategies without an oracle have no sizes of keys.
  private static long meanBytes(Engine engine) {
    return Math.max(1, Math.round(engine.measures().answerBytes().get(UNSEEN_ANSWER_BYTES)));
  }

  /** The forecast size of a statement's result without a plan; its keys are known. */
  static long forecastBytes(Engine engine, TableMetadata table, Asked asked) {
    if (engine.strategy().sizes() == null) {
      return mostBytes(engine, asked.width());
    }
    long bytes = 0;
    long outer = engine.guard().stalls().enter(engine.clock().nanoTime());
    try {
      for (int i = 0; i < asked.width(); i++) {
        ByteBuffer key = asked.keys().get(i);
        long hash = KeyHash.of(table, asked.tokens()[i], key, asked.part());
        bytes += engine.strategy().sizeBytes(key, hash);
      }
    } finally {
      engine.guard().stalls().leave(outer);
    }
    return bytes;
  }

  private static boolean fill(
      Engine engine,
      ThreadPlan plan,
      RandomGenerator random,
      TableMetadata table,
      Asked asked,
      ConsistencyLevel consistency) {
    Keyspace keyspace = Schema.instance.getKeyspaceInstance(table.keyspace);
    if (keyspace == null) {
      return false;
    }
    AbstractReplicationStrategy replication = keyspace.getReplicationStrategy();
    IEndpointSnitch snitch = engine.stockSnitch();
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    Nodes nodes = engine.nodes();
    Request request = plan.request();
    int contacts = consistency.blockFor(replication);
    String only = consistency.isDatacenterLocal() ? snitch.getLocalDatacenter() : null;
    request.begin(engine.clock().nanoTime(), random, nodes.capacity());
    plan.table(table.id);
    for (int index = 0; index < asked.width(); index++) {
      ByteBuffer key = asked.keys().get(index);
      Token token = asked.tokens()[index];
      EndpointsForToken replicas =
          snitch.sortedByProximity(self, replication.getNaturalReplicasForToken(token));
      int read = request.addRead(key, KeyHash.of(table, token, key, asked.part()), contacts);
      plan.token(read, token, replicas);
      String datacenter = null;
      int group = -1;
      for (int i = 0; i < replicas.size(); i++) {
        Replica replica = replicas.get(i);
        if (replica.isTransient()) {
          return false;
        }
        if (!FailureDetector.isReplicaAlive.test(replica)) {
          continue;
        }
        String next = snitch.getDatacenter(replica.endpoint());
        if (only != null && !next.equals(only)) {
          // Cassandra skips it too, and it may be between two of this datacenter.
          continue;
        }
        int node = nodes.id(replica.endpoint());
        if (node == Nodes.NONE) {
          return false;
        }
        if (!next.equals(datacenter)) {
          datacenter = next;
          group++;
        }
        request.addReplica(node, group);
      }
      if (request.replicaCount(read) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether the contacted replicas are the same as stock's, regardless of their order. */
  private static boolean sameContacts(Request request, int read, int[] stock) {
    int start = request.replicaStart(read);
    int contacts = request.contacts(read);
    for (int i = 0; i < contacts; i++) {
      boolean found = false;
      for (int j = 0; j < contacts && !found; j++) {
        found = stock[start + j] == request.replicas()[start + i];
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }
}
