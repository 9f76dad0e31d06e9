/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.functions.Function;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.service.ClientState;

/**
 * Which statements Manx looks into, and the keys they name. It looks before Cassandra has evaluated
 * anything, so whatever a client may have got wrong means "not ours" here, never a fault of Manx.
 */
final class Plannable {
  private Plannable() {}

  /** Whether a SELECT reads whole partition keys in the plain way that Manx plans. */
  static boolean isPlain(SelectStatement select, QueryOptions options) {
    ConsistencyLevel consistency = options.getConsistency();
    return consistency != null
        && !consistency.isSerialConsistency()
        // Its replicas are not those of the ring.
        && consistency != ConsistencyLevel.NODE_LOCAL
        // It takes a quorum of each datacenter, whatever the order of replicas.
        && consistency != ConsistencyLevel.EACH_QUORUM
        && !select.getRestrictions().isKeyRange()
        && !select.getRestrictions().usesSecondaryIndexing();
  }

  /** Whether a SELECT is of a table that is none of Manx's business. */
  static boolean isForeign(SelectStatement select) {
    return select.table.isVirtual() || SchemaConstants.isSystemKeyspace(select.table.keyspace);
  }

  /**
   * The partition keys of a SELECT; null if finding them would do work that a guardrail is there to
   * refuse, or if they may be too many.
   *
   * @param authorized whether the client may ask; if that is not known it is found out first
   * @param most more are left to Cassandra without being built
   * @throws Unanswered if it could not be found out in time whether the client may ask
   * @throws RuntimeException if the client may not ask, or asked wrongly
   */
  static List<ByteBuffer> keys(
      SelectStatement select,
      QueryOptions options,
      ClientState client,
      boolean authorized,
      int most) {
    if (select.table.partitionKeyColumns().size() > 1
        && Guardrails.inSelectCartesianProduct.enabled(client)) {
      return null;
    }
    if (KeyCount.atMost(select, options) > most) {
      return null;
    }
    List<Function> functions = new ArrayList<>();
    select.getRestrictions().addFunctionsTo(functions);
    if (!functions.isEmpty()) {
      return null;
    }
    if (!authorized) {
      authorize(select, client);
    }
    List<ByteBuffer> bound = BoundKeys.of(select, options);
    if (bound != null) {
      return bound;
    }
    // Not as the client: guardrails warn once, when the statement itself asks.
    return select.getRestrictions().getPartitionKeys(options, ClientState.forInternalCalls());
  }

  private static void authorize(SelectStatement select, ClientState client) {
    try {
      select.authorize(client);
    } catch (RuntimeException e) {
      throw Unanswered.of(e);
    }
  }

  /**
   * Their tokens.
   *
   * @throws RuntimeException if the partitioner does not take one of them
   */
  static Token[] tokens(SelectStatement select, List<ByteBuffer> keys) {
    Token[] tokens = new Token[keys.size()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = select.table.partitioner.getToken(keys.get(i));
    }
    return tokens;
  }

  /**
   * Whether Cassandra will read the partitions of a multiget in parallel: with a page size it reads
   * them one after another, and then the reads of the list are no fan-out.
   */
  static boolean isParallel(SelectStatement select, QueryOptions options) {
    return select.getAggregationSpec(options) == null
        && (options.getPageSize() <= 0 || select.getLimit(options) <= options.getPageSize());
  }
}
