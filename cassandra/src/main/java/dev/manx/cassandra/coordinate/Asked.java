/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.metrics.Followed;
import dev.manx.cassandra.nodes.ReadPart;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntPredicate;
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
   * Analyses a statement that is planned, or followed while requests are left to stock. Unless it
   * is drawn for a plan, its keys are evaluated only if that is necessary to count them, and
   * Cassandra checks the client's rights itself.
   *
   * @param authorized whether Cassandra has authorized the client
   * @param drawn whether a request of that many keys is planned; called at most once; null if every
   *     request is planned
   * @return null if it is left entirely to stock
   * @throws Unanswered if the client's rights could not be determined in time
   */
  static Asked of(
      Engine engine,
      SelectStatement select,
      QueryOptions options,
      ClientState client,
      boolean authorized,
      Concern concern,
      IntPredicate drawn) {
    Asked asked = null;
    if (concern != Concern.NONE) {
      asked =
          drawn == null
              ? keyed(engine, select, options, client, authorized)
              : ClientTerms.evaluate(
                  engine,
                  select,
                  options,
                  () -> drawn(engine, select, options, client, authorized, drawn));
    }
    if (asked == null) {
      engine.counters().count(Counter.REQUESTS_NOT_PLANNED);
    }
    return asked;
  }

  /**
   * Analyses a statement of which at most the paging is removed: keys are evaluated only if that is
   * necessary to count them. Cassandra checks the client's rights itself.
   *
   * @param authorized whether Cassandra has authorized the client
   * @return null if it is left entirely to stock
   * @throws Unanswered if the client's rights could not be determined in time
   */
  static Asked counted(
      Engine engine,
      SelectStatement select,
      QueryOptions options,
      ClientState client,
      boolean authorized,
      Concern concern) {
    return concern != Concern.PAGING
        ? null
        : ClientTerms.evaluate(
            engine, select, options, () -> unplanned(engine, select, options, client, authorized));
  }

  private static Asked drawn(
      Engine engine,
      SelectStatement select,
      QueryOptions options,
      ClientState client,
      boolean authorized,
      IntPredicate drawn) {
    if (Plannable.isGuardedProduct(select, client)) {
      return null;
    }
    int width = KeyCount.atMost(select, options);
    if (width == KeyCount.UNKNOWN) {
      Asked asked = evaluated(engine, select, options, client, authorized);
      return asked == null || drawn.test(asked.width()) ? asked : asked.unplanned();
    }
    // As without a draw, so that requests with and without a plan are of the same kinds.
    if (width == 0
        || isRefused(engine, select, options, client, width)
        || KeyMarkers.callsFunctions(select)) {
      return null;
    }
    boolean unpages = Unpaging.applies(engine, select, options, client, width);
    if (isReadInTurn(select, options, width, unpages)) {
      return null;
    }
    return drawn.test(width)
        ? evaluated(engine, select, options, client, authorized)
        : withoutKeys(width, Unpaging.paging(engine, options, unpages));
  }

  private static Asked unplanned(
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
            && Unpaging.applies(engine, select, options, client, width);
    Paging paging = Unpaging.paging(engine, options, unpages);
    return paging == Paging.REMOVED ? withoutKeys(width, paging) : null;
  }

  private static Asked withoutKeys(int width, Paging paging) {
    return new Asked(width, null, null, ReadPart.WHOLE, paging, false, -1, null);
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
    Paging paging = Unpaging.paging(engine, options, unpages);
    // Cassandra reads the pages of an aggregate one after another while its plan would be open.
    boolean plans = paging != Paging.LEFT && select.getAggregationSpec(options) == null;
    if (isReadInTurn(select, options, width, unpages)) {
      return null;
    }
    if (!plans) {
      // It is tracked nevertheless, as a part of the load.
      engine.counters().count(Counter.REQUESTS_NOT_PLANNED);
    }
    long part = ReadPart.of(select, options, paging != Paging.REMOVED);
    return new Asked(width, keys, Plannable.tokens(select, keys), part, paging, plans, -1, null);
  }

  /** Whether stock reads the keys one after another, so that the request is no fan-out. */
  private static boolean isReadInTurn(
      SelectStatement select, QueryOptions options, int width, boolean unpages) {
    return width > 1 && !unpages && !Plannable.isParallel(select, options);
  }

  /** Whether Manx leaves a statement to stock, or Cassandra will refuse it. */
  private static boolean isRefused(
      Engine engine, SelectStatement select, QueryOptions options, ClientState client, int width) {
    return width > engine.config().widestRequest()
        || Plannable.isRefused(select, options, client, width);
  }
}
