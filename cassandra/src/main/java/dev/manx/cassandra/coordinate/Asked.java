/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.metrics.Followed;
import dev.manx.cassandra.nodes.ReadPart;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.service.ClientState;

/**
 * A SELECT as Manx sees it; determined once, before Cassandra executes the statement.
 *
 * @param width number of its partition keys, at least one; repetitions may count
 * @param keys its partition keys, or null if they have not been evaluated
 * @param tokens of the keys, or null
 * @param part the part of each partition that is read, as in {@link ReadPart}; meaningless without
 *     keys
 * @param paging what becomes of its paging
 * @param planned whether its reads are planned
 * @param bytesInFlight its bytes in {@link InFlight} while it is read unpaged; -1 for none
 * @param followed records its latency when it ends; null for most requests while all is calm
 */
record Asked(
    int width,
    List<ByteBuffer> keys,
    Token[] tokens,
    long part,
    Paging paging,
    boolean planned,
    long bytesInFlight,
    Followed followed) {
  /** What becomes of the paging of a statement. */
  enum Paging {
    /** It stays as it is. */
    KEPT,
    /** Manx removes it; in shadow mode, it would. */
    REMOVED,
    /** Manx would remove it, but may not at present. */
    LEFT
  }

  /**
   * Analyses a statement.
   *
   * @param authorized whether Cassandra has authorized the client
   * @param plans false while requests are left to stock; paging may be removed nevertheless
   * @return null if it is left entirely to stock
   * @throws Unanswered if the client's rights could not be determined in time
   */
  static Asked of(
      Engine engine,
      SelectStatement select,
      QueryOptions options,
      ClientState client,
      boolean authorized,
      boolean plans) {
    boolean plain = Plannable.isPlain(select, options);
    if (!plans) {
      return plain && Unpaging.mayApply(engine, select, options)
          ? ClientTerms.evaluate(
              engine, select, options, () -> counted(engine, select, options, client, authorized))
          : null;
    }
    Asked asked = plain ? keyed(engine, select, options, client, authorized) : null;
    if (asked == null) {
      engine.counters().count(Counter.REQUESTS_NOT_PLANNED);
    }
    return asked;
  }

  /** Returns this without a plan. */
  Asked unplanned() {
    return new Asked(width, keys, tokens, part, paging, false, bytesInFlight, followed);
  }

  /** Returns this with the statement's own paging. */
  Asked paged() {
    return new Asked(width, keys, tokens, part, Paging.KEPT, planned, -1, followed);
  }

  /**
   * Returns this with the statement's own paging, which would be removed at another time. Its
   * latency is not comparable with that of a multiget that is read in parallel.
   */
  Asked leftPaged() {
    return new Asked(width, keys, tokens, part, Paging.LEFT, planned, -1, followed);
  }

  /** Whether its paging is removed; in shadow mode, whether it would be. */
  boolean unpaged() {
    return paging == Paging.REMOVED;
  }

  /** Whether it keeps its paging because that may not be removed at present. */
  boolean isLeftPaged() {
    return paging == Paging.LEFT;
  }

  /** Returns this with its keys and the given forecast bytes recorded as in flight. */
  Asked inFlight(long bytes) {
    return new Asked(width, keys, tokens, part, paging, planned, bytes, followed);
  }

  /** Returns this with a recorder of its latency. */
  Asked followed(Followed request) {
    return new Asked(width, keys, tokens, part, paging, planned, bytesInFlight, request);
  }

  /**
   * Analyses a statement whose keys are needed.
   *
   * @param authorized whether Cassandra has authorized the client
   * @return null if it is left entirely to stock
   * @throws Unanswered if the client's rights could not be determined in time
   */
  static Asked keyed(
      Engine engine,
      SelectStatement select,
      QueryOptions options,
      ClientState client,
      boolean authorized) {
    return ClientTerms.evaluate(
        engine, select, options, () -> evaluated(engine, select, options, client, authorized));
  }

  /**
   * Analyses a statement of which at most the paging is removed: keys are evaluated only if that is
   * necessary to count them. Cassandra checks the client's rights itself.
   */
  private static Asked counted(
      Engine engine,
      SelectStatement select,
      QueryOptions options,
      ClientState client,
      boolean authorized) {
    if (Plannable.isGuardedProduct(select, client)) {
      return null;
    }
    int width = KeyCount.atMost(select, options);
    if (width == KeyCount.UNKNOWN) {
      Asked asked = evaluated(engine, select, options, client, authorized);
      return asked == null ? null : asked.unplanned();
    }
    boolean unpages =
        !isRefused(engine, select, options, client, width)
            && Unpaging.applies(engine, select, options, client, width)
            && Unpaging.isHarmless(engine, options.getConsistency());
    return unpages
        ? new Asked(width, null, null, ReadPart.WHOLE, Paging.REMOVED, false, -1, null)
        : null;
  }

  private static Asked evaluated(
      Engine engine,
      SelectStatement select,
      QueryOptions options,
      ClientState client,
      boolean authorized) {
    int widest = engine.config().widestRequest();
    List<ByteBuffer> keys = Plannable.keys(select, options, client, authorized, widest);
    if (keys == null || keys.isEmpty() || isRefused(engine, select, options, client, keys.size())) {
      return null;
    }
    int width = keys.size();
    boolean unpages = Unpaging.applies(engine, select, options, client, width);
    boolean harmless = !unpages || Unpaging.isHarmless(engine, options.getConsistency());
    // Cassandra reads the pages of an aggregate one after another while its plan would be open.
    boolean plans = harmless && select.getAggregationSpec(options) == null;
    if (width > 1 && !unpages && !Plannable.isParallel(select, options)) {
      return null;
    }
    if (!plans) {
      // It is tracked nevertheless, as a part of the load.
      engine.counters().count(Counter.REQUESTS_NOT_PLANNED);
    }
    long part = ReadPart.of(select, options, !(unpages && harmless));
    Token[] tokens = Plannable.tokens(select, keys);
    Paging paging = !unpages ? Paging.KEPT : harmless ? Paging.REMOVED : Paging.LEFT;
    return new Asked(width, keys, tokens, part, paging, plans, -1, null);
  }

  /** Whether Manx leaves a statement to stock, or Cassandra will refuse it. */
  private static boolean isRefused(
      Engine engine, SelectStatement select, QueryOptions options, ClientState client, int width) {
    return width > engine.config().widestRequest()
        || Plannable.isRefused(select, options, client, width);
  }
}
