/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.bench;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.TestSelect;
import dev.manx.cassandra.coordinate.InFlight;
import dev.manx.cassandra.coordinate.PlanningHandler;
import dev.manx.cassandra.wire.CustomMap;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.utils.FBUtilities;

/**
 * The work done twice for a planned request, once by Manx and once by Cassandra, without a node:
 * there is no ring, so a request ends where its replicas would be looked up.
 */
public final class PlannedPath {
  private final PlanningHandler handler;
  private final PlanningHandler off;
  private final QueryState state = new QueryState(ClientState.forInternalCalls());
  private final SelectStatement bound = select("SELECT * FROM ks.plain WHERE k IN ?");
  private final SelectStatement written =
      select("SELECT * FROM ks.plain WHERE k IN (1, 2, 3, 4, 5, 6, 7, 8, 9)");
  private final SelectStatement single = select("SELECT * FROM ks.plain WHERE k = ?");
  private final SelectStatement named = select("SELECT id, name FROM ks.users WHERE id = ?");
  private final QueryOptions nine = TestSchema.options(-1, TestSchema.list(1, 9));
  private final QueryOptions one = TestSchema.options(-1, Int32Type.instance.decompose(7));
  private final QueryOptions none = TestSchema.options(-1);
  private final Message<?> read;
  private final byte[] tag = new byte[30];

  /** Initializes Cassandra's classes as a client's, and the handler without a ring. */
  public PlannedPath() {
    Engine engine = TestEngines.of("strategy: manx", System::nanoTime);
    InFlight inFlight =
        new InFlight(engine.config().keysInFlight(), engine.config().bytesInFlight());
    handler =
        new PlanningHandler(() -> engine, () -> QueryProcessor.instance, inFlight, table -> true);
    off = new PlanningHandler(() -> null, () -> QueryProcessor.instance, inFlight, table -> true);
    ReadCommand command = TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
    read =
        Message.builder(Verb.READ_REQ, command)
            .from(FBUtilities.getBroadcastAddressAndPort())
            .withId(1)
            .build();
  }

  private static SelectStatement select(String cql) {
    TestSchema.load();
    return new TestSelect(TestSchema.select(cql));
  }

  /** A SELECT of nine keys, bound to one marker. */
  public void bound() {
    handler.processPrepared(bound, state, nine, null, null);
  }

  /** The SELECT with bound keys while Manx is off. */
  public void boundOff() {
    off.processPrepared(bound, state, nine, null, null);
  }

  /** A SELECT of nine keys, written in its text. */
  public void written() {
    handler.processPrepared(written, state, none, null, null);
  }

  /** The SELECT with keys in its text while Manx is off. */
  public void writtenOff() {
    off.processPrepared(written, state, none, null, null);
  }

  /** A SELECT of one key. */
  public void single() {
    handler.processPrepared(single, state, one, null, null);
  }

  /** The SELECT of one key while Manx is off. */
  public void singleOff() {
    off.processPrepared(single, state, one, null, null);
  }

  /** A SELECT of some columns of one key. */
  public void named() {
    handler.processPrepared(named, state, one, null, null);
  }

  /** The SELECT of some columns while Manx is off. */
  public void namedOff() {
    off.processPrepared(named, state, one, null, null);
  }

  /** Nine bound keys as Cassandra evaluates them. */
  public List<ByteBuffer> evaluated() {
    return bound.getRestrictions().getPartitionKeys(nine, state.getClientState());
  }

  /** A read with its tag. */
  public Message<?> tagged() {
    return CustomMap.tagged(read, tag, true);
  }
}
