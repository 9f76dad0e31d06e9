/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import dev.manx.cassandra.Engine;
import dev.manx.policy.Request;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;

/** The arrays that a thread keeps after a plan. */
public final class KeptPlan {
  private static final int REPLICAS = 3;

  private KeptPlan() {}

  /** The bytes of the elements of the arrays of a new thread that has planned one request. */
  public static long bytes(Engine engine, int reads, int nodes) {
    return CompletableFuture.supplyAsync(
            () -> plan(engine, reads, nodes), task -> new Thread(task).start())
        .join();
  }

  private static long plan(Engine engine, int reads, int nodes) {
    ThreadPlan plan = ThreadPlan.current();
    Request request = plan.request();
    request.begin(engine.clock().nanoTime(), new SplittableRandom(1), nodes);
    for (int read = 0; read < reads; read++) {
      plan.token(request.addRead(null, read, 1), new LongToken(read), null);
      for (int replica = 0; replica < REPLICAS; replica++) {
        request.addReplica(0, 0);
      }
    }
    plan.stockFirst(request);
    plan.open(engine, 1, true);
    plan.close();
    return bytes(plan) + bytes(plan.attempts()) + bytes(plan.request());
  }

  private static long bytes(Object holder) {
    long bytes = 0;
    for (Class<?> type = holder.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        bytes += field.getType().isArray() ? bytes(holder, field) : 0;
      }
    }
    return bytes;
  }

  private static long bytes(Object holder, Field field) {
    try {
      field.setAccessible(true);
      Class<?> of = field.getType().getComponentType();
      // A reference takes as much as an int.
      int each = of == long.class || of == double.class ? Long.BYTES : Integer.BYTES;
      return (long) Array.getLength(field.get(holder)) * each;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
