/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.MD5Digest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry of the plugin, named in {@code -Dcassandra.custom_query_handler_class}. It delegates to
 * the stock query processor; while Manx is on, statements go through what {@link #route} set.
 *
 * <p>Compiled for Java 11, so that a node running it loads this class and stays stock, with one
 * line in its log, instead of failing to start.
 */
public final class ManxQueryHandler implements QueryHandler {
  private static final Logger logger = LoggerFactory.getLogger(ManxQueryHandler.class);
  private static final int NEEDED_JAVA = 17;

  // null is stock: one volatile read is all that Manx costs while its mode is off.
  private static volatile Route route;

  /** Who executes statements in place of the stock query processor. */
  public interface Route {
    /** As {@link QueryHandler#process}. */
    ResultMessage process(
        CQLStatement statement,
        QueryState state,
        QueryOptions options,
        Map<String, ByteBuffer> customPayload,
        Dispatcher.RequestTime requestTime);

    /** As {@link QueryHandler#processPrepared}. */
    ResultMessage processPrepared(
        CQLStatement statement,
        QueryState state,
        QueryOptions options,
        Map<String, ByteBuffer> customPayload,
        Dispatcher.RequestTime requestTime);
  }

  /**
   * Called by Cassandra once, early in start-up. Never throws: a node starts with or without Manx.
   */
  public ManxQueryHandler() {
    int java = Runtime.version().feature();
    if (java < NEEDED_JAVA) {
      logger.warn(
          "Manx steps aside: it needs Java {}, this node runs Java {}. The node works as stock.",
          NEEDED_JAVA,
          java);
      return;
    }
    try {
      Class.forName("dev.manx.cassandra.boot.Boot").getMethod("start").invoke(null);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      logger.error("Manx steps aside: it could not start. The node works as stock.", e);
    }
  }

  /**
   * Puts a handler into the path, or takes it out.
   *
   * @param executor who executes every statement from now on, or null for stock
   */
  public static void route(Route executor) {
    route = executor;
  }

  @Override
  public CQLStatement parse(String query, QueryState state, QueryOptions options) {
    return QueryProcessor.instance.parse(query, state, options);
  }

  @Override
  public ResultMessage process(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      Dispatcher.RequestTime requestTime) {
    Route executor = route;
    return executor == null
        ? QueryProcessor.instance.process(statement, state, options, customPayload, requestTime)
        : executor.process(statement, state, options, customPayload, requestTime);
  }

  @Override
  public ResultMessage.Prepared prepare(
      String query, ClientState clientState, Map<String, ByteBuffer> customPayload) {
    return QueryProcessor.instance.prepare(query, clientState, customPayload);
  }

  @Override
  public QueryHandler.Prepared getPrepared(MD5Digest id) {
    return QueryProcessor.instance.getPrepared(id);
  }

  @Override
  public ResultMessage processPrepared(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      Dispatcher.RequestTime requestTime) {
    Route executor = route;
    return executor == null
        ? QueryProcessor.instance.processPrepared(
            statement, state, options, customPayload, requestTime)
        : executor.processPrepared(statement, state, options, customPayload, requestTime);
  }

  @Override
  public ResultMessage processBatch(
      BatchStatement statement,
      QueryState state,
      BatchQueryOptions options,
      Map<String, ByteBuffer> customPayload,
      Dispatcher.RequestTime requestTime) {
    return QueryProcessor.instance.processBatch(
        statement, state, options, customPayload, requestTime);
  }
}
