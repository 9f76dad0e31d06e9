/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Properties;
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
 * the stock query processor, or to the handler named by {@code -Dmanx.next_query_handler_class};
 * while Manx is on, statements go through the executor set by {@link #route}.
 *
 * <p>Compiled for Java 8 and with the methods of this interface in Cassandra 4.0, 4.1, 5.0 and 6.0,
 * so that a node of another version loads this class and stays stock, with one line in its log,
 * instead of failing to start or failing every statement.
 */
public final class ManxQueryHandler implements QueryHandler {
  private static final Logger logger = LoggerFactory.getLogger(ManxQueryHandler.class);
  private static final String NEEDED_CASSANDRA = "5.0";
  private static final int NEEDED_JAVA = 17;
  private static final String NEXT = "manx.next_query_handler_class";

  // null is stock: one volatile read is the whole cost of Manx while its mode is off.
  private static volatile Route route;
  private static volatile Gate gate;
  private static volatile QueryHandler next;

  /** Executes statements in place of the stock query processor. */
  public interface Route {
    /** Executes a statement, as {@link QueryHandler#process} does. */
    ResultMessage process(
        CQLStatement statement,
        QueryState state,
        QueryOptions options,
        Map<String, ByteBuffer> customPayload,
        Dispatcher.RequestTime requestTime);

    /** Executes a prepared statement, as {@link QueryHandler#processPrepared} does. */
    ResultMessage processPrepared(
        CQLStatement statement,
        QueryState state,
        QueryOptions options,
        Map<String, ByteBuffer> customPayload,
        Dispatcher.RequestTime requestTime);
  }

  /** Refuses statements that a client may not send. */
  public interface Gate {
    /**
     * Throws the error for the client if the client may not send the statement; returns at once for
     * most statements.
     */
    void check(CQLStatement statement, ClientState client);
  }

  /**
   * Called once by Cassandra, early in start-up. A node starts with or without Manx.
   *
   * @throws IllegalStateException if the next handler cannot be made; Cassandra then ends the node,
   *     as it would for that handler alone
   */
  public ManxQueryHandler() {
    next = chained();
    String java = System.getProperty("java.specification.version");
    String cassandra = cassandraVersion();
    if (!cassandra.startsWith(NEEDED_CASSANDRA)) {
      logger.warn(
          "Manx steps aside: it needs Cassandra {}, this node runs {}. The node works as stock.",
          NEEDED_CASSANDRA,
          cassandra);
      return;
    }
    if (java.startsWith("1.") || Integer.parseInt(java) < NEEDED_JAVA) {
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

  private static QueryHandler chained() {
    String name = System.getProperty(NEXT);
    if (name == null) {
      return null;
    }
    try {
      QueryHandler handler =
          Class.forName(name).asSubclass(QueryHandler.class).getDeclaredConstructor().newInstance();
      logger.info("Manx passes statements on to {}", name);
      return handler;
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IllegalStateException("-D" + NEXT + "=" + name + " cannot be made", e);
    }
  }

  // Read from the file that defines Cassandra's own version: no method for it exists in all
  // versions.
  private static String cassandraVersion() {
    try (InputStream in =
        QueryHandler.class.getResourceAsStream("/org/apache/cassandra/config/version.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("CassandraVersion", "an unknown version");
    } catch (IOException | NullPointerException e) {
      return "an unknown version";
    }
  }

  /**
   * Puts an executor into the path, or removes it.
   *
   * @param executor executes all later statements, or null for stock
   */
  public static void route(Route executor) {
    route = executor;
  }

  /** Sets the check of every later statement, whatever the mode. */
  public static void gate(Gate checks) {
    gate = checks;
  }

  /** The final receiver of statements: the next handler if one is named, otherwise stock's. */
  public static QueryHandler next() {
    QueryHandler handler = next;
    return handler == null ? QueryProcessor.instance : handler;
  }

  private static void check(CQLStatement statement, QueryState state) {
    Gate checks = gate;
    if (checks != null) {
      checks.check(statement, state.getClientState());
    }
  }

  @Override
  public CQLStatement parse(String query, QueryState state, QueryOptions options) {
    return next().parse(query, state, options);
  }

  @Override
  public ResultMessage process(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      Dispatcher.RequestTime requestTime) {
    check(statement, state);
    Route executor = route;
    return executor == null
        ? next().process(statement, state, options, customPayload, requestTime)
        : executor.process(statement, state, options, customPayload, requestTime);
  }

  @Override
  public ResultMessage.Prepared prepare(
      String query, ClientState clientState, Map<String, ByteBuffer> customPayload) {
    return next().prepare(query, clientState, customPayload);
  }

  @Override
  public QueryHandler.Prepared getPrepared(MD5Digest id) {
    return next().getPrepared(id);
  }

  @Override
  public ResultMessage processPrepared(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      Dispatcher.RequestTime requestTime) {
    check(statement, state);
    Route executor = route;
    return executor == null
        ? next().processPrepared(statement, state, options, customPayload, requestTime)
        : executor.processPrepared(statement, state, options, customPayload, requestTime);
  }

  @Override
  public ResultMessage processBatch(
      BatchStatement statement,
      QueryState state,
      BatchQueryOptions options,
      Map<String, ByteBuffer> customPayload,
      Dispatcher.RequestTime requestTime) {
    check(statement, state);
    return next().processBatch(statement, state, options, customPayload, requestTime);
  }

  // The same methods as called by nodes before 4.1.6. Manx is never on there.

  /** As in {@link QueryHandler} before Cassandra 4.1.6. */
  public ResultMessage process(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      long queryStartNanos) {
    return OlderQueryHandler.process(
        next(), statement, state, options, customPayload, queryStartNanos);
  }

  /** As in {@link QueryHandler} before Cassandra 4.1.6. */
  public ResultMessage processPrepared(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      long queryStartNanos) {
    return OlderQueryHandler.processPrepared(
        next(), statement, state, options, customPayload, queryStartNanos);
  }

  /** As in {@link QueryHandler} before Cassandra 4.1.6. */
  public ResultMessage processBatch(
      BatchStatement statement,
      QueryState state,
      BatchQueryOptions options,
      Map<String, ByteBuffer> customPayload,
      long queryStartNanos) {
    return OlderQueryHandler.processBatch(
        next(), statement, state, options, customPayload, queryStartNanos);
  }
}
