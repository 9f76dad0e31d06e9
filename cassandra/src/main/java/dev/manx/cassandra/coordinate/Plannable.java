/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.apache.cassandra.db.guardrails.GuardrailsConfig;
import org.apache.cassandra.db.guardrails.MaxThreshold;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.service.ClientState;

/**
 * Determines which statements Manx analyses, and their keys. It runs before Cassandra has evaluated
 * any term, so a client's error means "not plannable" here, never a fault of Manx.
 */
final class Plannable {
  private Plannable() {}

  /** Whether a SELECT reads whole partition keys in the simple form that Manx plans. */
  static boolean isPlain(SelectStatement select, QueryOptions options) {
    ConsistencyLevel consistency = options.getConsistency();
    return consistency != null
        && !consistency.isSerialConsistency()
        // Its replicas differ from those of the ring.
        && consistency != ConsistencyLevel.NODE_LOCAL
        // It takes a quorum of each datacenter, regardless of the order of replicas.
        && consistency != ConsistencyLevel.EACH_QUORUM
        // Cassandra refuses reads at it.
        && consistency != ConsistencyLevel.ANY
        && !select.getRestrictions().isKeyRange()
        && !select.getRestrictions().usesSecondaryIndexing();
  }

  /** Whether Manx ignores the table of a SELECT. */
  static boolean isForeign(SelectStatement select) {
    return select.table.isVirtual() || SchemaConstants.isSystemKeyspace(select.table.keyspace);
  }

  /**
   * The partition keys of a SELECT; null if evaluating them would do work that a guardrail exists
   * to refuse, or if they may be too many.
   *
   * @param authorized whether the client's rights were checked; if not, they are checked first
   * @param most larger numbers of keys are left to Cassandra and not built
   * @throws Unanswered if the client's rights could not be determined in time
   * @throws RuntimeException if the client lacks the rights, or the statement is invalid
   */
  static List<ByteBuffer> keys(
      SelectStatement select,
      QueryOptions options,
      ClientState client,
      boolean authorized,
      int most) {
    if (isGuardedProduct(select, client) || KeyCount.atMost(select, options) > most) {
      return null;
    }
    if (KeyMarkers.callsFunctions(select)) {
      return null;
    }
    if (!authorized) {
      authorize(select, client);
    }
    List<ByteBuffer> bound = BoundKeys.of(select, options);
    if (bound != null) {
      return bound;
    }
    // Not as the client: guardrails warn once, when the statement is executed.
    return select.getRestrictions().getPartitionKeys(options, ClientState.forInternalCalls());
  }

  /**
   * Whether a guardrail limits the product of lists that a SELECT names; one list is no product.
   */
  static boolean isGuardedProduct(SelectStatement select, ClientState client) {
    return KeyCount.isProduct(select) && Guardrails.inSelectCartesianProduct.enabled(client);
  }

  /**
   * Whether Cassandra will refuse a SELECT: because of a guardrail, which is not asked since it
   * would warn the client, or because it would have to page an ordered multiget.
   */
  static boolean isRefused(
      SelectStatement select, QueryOptions options, ClientState client, int keys) {
    GuardrailsConfig limits = limits(client);
    int pageSize = options.getPageSize();
    ConsistencyLevel consistency = options.getConsistency();
    // It counts a single list too, even of a key of one column.
    int product = keys > 1 ? keys : 0;
    return fails(
            Guardrails.partitionKeysInSelect,
            keys,
            limits.getPartitionKeysInSelectFailThreshold(),
            client)
        || fails(
            Guardrails.inSelectCartesianProduct,
            product,
            limits.getInSelectCartesianProductFailThreshold(),
            client)
        // Only the pages of a statement that is paged.
        || fails(Guardrails.pageSize, pageSize, limits.getPageSizeFailThreshold(), client)
            && !isParallel(select, options)
        || limits.getReadConsistencyLevelsDisallowed().contains(consistency)
            && Guardrails.readConsistencyLevels.enabled(client)
        // Whatever its LIMIT is: it would apply only after the rows of all keys are sorted.
        || pageSize > 0
            && select.getRestrictions().keyIsInRelation()
            && !select.parameters.orderings.isEmpty();
  }

  /** Whether a guardrail limits the size of the pages that a client may request. */
  static boolean arePagesLimited(ClientState client) {
    GuardrailsConfig limits = limits(client);
    return (limits.getPageSizeFailThreshold() > 0 || limits.getPageSizeWarnThreshold() > 0)
        && Guardrails.pageSize.enabled(client);
  }

  private static GuardrailsConfig limits(ClientState client) {
    return Guardrails.CONFIG_PROVIDER.getOrCreate(client);
  }

  /**
   * Whether a guardrail fails on a value. It is only asked if the value is above its limit, because
   * it first looks up the client's role.
   *
   * @param most its limit; none if not positive
   */
  private static boolean fails(MaxThreshold guardrail, int value, int most, ClientState client) {
    return most > 0 && value > most && guardrail.failsOn(value, client);
  }

  private static void authorize(SelectStatement select, ClientState client) {
    try {
      select.authorize(client);
    } catch (RuntimeException e) {
      throw Unanswered.of(e);
    }
  }

  /**
   * The keys' tokens.
   *
   * @throws RuntimeException if the partitioner refuses a key
   */
  static Token[] tokens(SelectStatement select, List<ByteBuffer> keys) {
    Token[] tokens = new Token[keys.size()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = select.table.partitioner.getToken(keys.get(i));
    }
    return tokens;
  }

  /**
   * As {@link #isParallel}, also before Cassandra has evaluated any term: false for one key, and
   * for a statement that Cassandra will refuse.
   */
  static boolean isParallelMultiget(SelectStatement select, QueryOptions options) {
    if (!select.getRestrictions().keyIsInRelation()) {
      return false;
    }
    try {
      options.prepare(select.getBindVariables());
      return isParallel(select, options);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      return false;
    }
  }

  /**
   * Whether Cassandra will read the partitions of a multiget in parallel: with a page size it reads
   * them one after another, and the list is not a fan-out.
   */
  static boolean isParallel(SelectStatement select, QueryOptions options) {
    return select.getAggregationSpec(options) == null
        && (options.getPageSize() <= 0 || select.getLimit(options) <= options.getPageSize());
  }
}
