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
 * the stock query processor, or to the handler that {@code -Dmanx.next_query_handler_class} names;
 * while Manx is on, statements go through what {@link #route} set.
 *
 * <p>Compiled for Java 8 and with the methods of this interface as they are in Cassandra 4.0, 4.1,
 * 5.0 and 6.0, so that a node of another version loads this class and stays stock, with one line in
 * its log, instead of failing to start or failing every statement.
 */
public final class ManxQueryHandler implements QueryHandler {
  private static final Logger logger = LoggerFactory.getLogger(ManxQueryHandler.class);
  private static final String NEEDED_CASSANDRA = "5.0";
  private static final int NEEDED_JAVA = 17;
  private static final String NEXT = "manx.next_query_handler_class";

  // null is stock: one volatile read is all that Manx costs while its mode is off.
  private static volatile Route route;
  private static volatile Gate gate;
  private static volatile QueryHandler next;

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

  /** Who refuses statements that a client may not send. */
  public interface Gate {
    /** Throws what the client is to be told if it may not; returns at once for most statements. */
    void check(CQLStatement statement, ClientState client);
  }

  /**
   * Called by Cassandra once, early in start-up. A node starts with or without Manx.
   *
   * @throws IllegalStateException if the next handler cannot be made; Cassandra then ends the node,
   *     as it would have for that handler alone
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

  // From the file that Cassandra's own version comes from: no method of it is there in all
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
   * Puts a handler into the path, or takes it out.
   *
   * @param executor who executes every statement from now on, or null for stock
   */
  public static void route(Route executor) {
    route = executor;
  }

  /** Has every statement checked from now on, whatever the mode. */
  public static void gate(Gate checks) {
    gate = checks;
  }

  /** Who gets the statements in the end: the next handler if one is named, else stock's. */
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

  // The same methods as nodes before 4.1.6 call them. Manx is never on there.

  /** As {@link QueryHandler} has it before Cassandra 4.1.6. */
  public ResultMessage process(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      long queryStartNanos) {
    return OlderQueryHandler.process(
        next(), statement, state, options, customPayload, queryStartNanos);
  }

  /** As {@link QueryHandler} has it before Cassandra 4.1.6. */
  public ResultMessage processPrepared(
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      long queryStartNanos) {
    return OlderQueryHandler.processPrepared(
        next(), statement, state, options, customPayload, queryStartNanos);
  }

  /** As {@link QueryHandler} has it before Cassandra 4.1.6. */
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
