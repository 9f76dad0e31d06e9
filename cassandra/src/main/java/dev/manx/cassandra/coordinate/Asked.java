/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.metrics.Followed;
import dev.manx.cassandra.nodes.SliceKind;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.apache.cassandra.service.ClientState;

/**
 * A SELECT as Manx understands it; found once, before Cassandra executes the statement.
 *
 * @param keys the partition keys, at least one
 * @param kind how much of each partition is read
 * @param unpaged whether its paging is to be taken off
 * @param planned whether its reads are to be planned
 * @param bytesInFlight what it holds of {@link InFlight} while it is read unpaged; -1 for nothing
 * @param followed enters its latency when it ends; null for most requests while all is calm
 */
record Asked(
    List<ByteBuffer> keys,
    SliceKind kind,
    boolean unpaged,
    boolean planned,
    long bytesInFlight,
    Followed followed) {

  /**
   * Looks into a statement.
   *
   * @param plans false while requests are left to stock; paging may be taken off nevertheless
   * @return null if it is left to stock altogether
   */
  static Asked of(
      Engine engine,
      SelectStatement select,
      QueryOptions options,
      ClientState client,
      boolean plans) {
    if (Plannable.isForeign(select) || !(plans || Unpaging.mayApply(engine, select, options))) {
      return null;
    }
    Asked asked = Plannable.isPlain(select, options) ? look(engine, select, options, client) : null;
    if (asked == null) {
      engine.counters().count(Counter.REQUESTS_NOT_PLANNED);
      return null;
    }
    return plans ? asked : asked.unplanned();
  }

  /** The same without a plan. */
  Asked unplanned() {
    return new Asked(keys, kind, unpaged, false, bytesInFlight, followed);
  }

  /** The same with the statement's own paging. */
  Asked paged() {
    return new Asked(keys, kind, false, planned, -1, followed);
  }

  /** The same, with its keys and so many forecast bytes entered as in flight. */
  Asked inFlight(long bytes) {
    return new Asked(keys, kind, unpaged, planned, bytes, followed);
  }

  /** The same, its latency to be entered. */
  Asked followed(Followed request) {
    return new Asked(keys, kind, unpaged, planned, bytesInFlight, request);
  }

  private static Asked look(
      Engine engine, SelectStatement select, QueryOptions options, ClientState client) {
    return ClientTerms.evaluate(
        engine,
        select,
        options,
        () -> {
          List<ByteBuffer> keys = Plannable.keys(select, options, client);
          if (keys == null
              || keys.isEmpty()
              || keys.size() > engine.config().widestRequest()
              // Cassandra will refuse it.
              || Guardrails.partitionKeysInSelect.failsOn(keys.size(), client)) {
            return null;
          }
          boolean unpages = Unpaging.applies(engine, select, options, client, keys.size());
          if (unpages && !Unpaging.isHarmless(engine, options.getConsistency())) {
            // Its latency is followed all the same.
            engine.counters().count(Counter.REQUESTS_NOT_PLANNED);
            return new Asked(keys, SliceKind.of(select, options, true), false, false, -1, null);
          }
          boolean fanout = keys.size() == 1 || unpages || Plannable.isParallel(select, options);
          return fanout
              ? new Asked(keys, SliceKind.of(select, options, !unpages), unpages, true, -1, null)
              : null;
        });
  }
}
