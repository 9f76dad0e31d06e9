/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.messages.ResultMessage;

/**
 * Calls the methods of a {@link QueryHandler} before Cassandra 4.1.6. They are looked up when a
 * node of such a version calls the first of them. Compiled for Java 8, like the entry class.
 */
final class OlderQueryHandler {
  private static final MethodHandle PROCESS =
      find("process", CQLStatement.class, QueryOptions.class);
  private static final MethodHandle PROCESS_PREPARED =
      find("processPrepared", CQLStatement.class, QueryOptions.class);
  private static final MethodHandle PROCESS_BATCH =
      find("processBatch", BatchStatement.class, BatchQueryOptions.class);

  private OlderQueryHandler() {}

  private static MethodHandle find(String name, Class<?> statement, Class<?> options) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(
              QueryHandler.class,
              name,
              MethodType.methodType(
                  ResultMessage.class,
                  statement,
                  QueryState.class,
                  options,
                  Map.class,
                  long.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Cassandra has no QueryHandler." + name, e);
    }
  }

  static ResultMessage process(
      QueryHandler handler,
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      long queryStartNanos) {
    try {
      return (ResultMessage)
          PROCESS.invoke(handler, statement, state, options, customPayload, queryStartNanos);
    } catch (Throwable t) {
      throw asIs(t);
    }
  }

  static ResultMessage processPrepared(
      QueryHandler handler,
      CQLStatement statement,
      QueryState state,
      QueryOptions options,
      Map<String, ByteBuffer> customPayload,
      long queryStartNanos) {
    try {
      return (ResultMessage)
          PROCESS_PREPARED.invoke(
              handler, statement, state, options, customPayload, queryStartNanos);
    } catch (Throwable t) {
      throw asIs(t);
    }
  }

  static ResultMessage processBatch(
      QueryHandler handler,
      BatchStatement statement,
      QueryState state,
      BatchQueryOptions options,
      Map<String, ByteBuffer> customPayload,
      long queryStartNanos) {
    try {
      return (ResultMessage)
          PROCESS_BATCH.invoke(handler, statement, state, options, customPayload, queryStartNanos);
    } catch (Throwable t) {
      throw asIs(t);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T asIs(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
