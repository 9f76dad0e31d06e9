/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.policy.Request;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.dht.Token;

/** Plans of the calling thread for tests of other packages. */
public final class TestPlans {
  private TestPlans() {}

  /**
   * Opens a plan of one read, which is the command's.
   *
   * @param contacts number of replicas that must answer it
   * @param aside whether it is only followed
   * @param replicas nodes in the order of the plan
   */
  public static void open(
      Engine engine,
      SinglePartitionReadCommand command,
      int contacts,
      boolean aside,
      int... replicas) {
    ThreadPlan.current().table(command.metadata().id);
    open(engine, command.partitionKey().getToken(), contacts, aside, replicas);
  }

  /**
   * Opens a plan of one read.
   *
   * @param contacts number of replicas that must answer it
   * @param aside whether it is only followed
   * @param replicas nodes in the order of the plan
   */
  public static void open(
      Engine engine, Token token, int contacts, boolean aside, int... replicas) {
    ThreadPlan plan = ThreadPlan.current();
    Request request = plan.request();
    request.begin(engine.clock().nanoTime(), new SplittableRandom(1), 16);
    plan.token(request.addRead(null, 0, contacts), token, null);
    for (int node : replicas) {
      request.addReplica(node, 0);
    }
    engine.strategy().plan(request, engine.state());
    plan.open(engine, 1, aside);
  }

  /** A handler on a node that has followed many requests; the tests' clocks do not advance. */
  public static PlanningHandler handler(Supplier<Engine> engines, InFlight inFlight) {
    return new PlanningHandler(
        engines, () -> QueryProcessor.instance, inFlight, table -> true, new Sample(0, 0));
  }

  /** Begins or ends a statement whose reads may stay at home. */
  public static void stayHome(boolean reads) {
    ThreadPlan.current().stayHome(reads, true);
  }

  /** Closes it. */
  public static void close() {
    ThreadPlan.current().flight(null);
    ThreadPlan.current().close();
  }
}
