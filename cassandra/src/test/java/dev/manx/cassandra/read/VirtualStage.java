/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;

/** A stock stage in virtual time: some threads and a first-in first-out queue. */
final class VirtualStage {
  private record Event(long nanos, long number, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) ->
              a.nanos == b.nanos
                  ? Long.compare(a.number, b.number)
                  : Long.compare(a.nanos, b.nanos));
  private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
  private final int threads;
  private final LocalAwareExecutorPlus executor;
  private long now;
  private long numbers;
  private int active;
  private Read running;

  /** A read that holds its thread for a while. */
  abstract static class Read implements Runnable {
    private VirtualStage stage;
    private long serviceNanos;

    /** A read thread has taken it. */
    abstract void started(long nowNanos);

    /** It has ended. */
    abstract void ended(long nowNanos);

    @Override
    public final void run() {
      started(stage.now);
      stage.running = this;
      stage.now += serviceNanos;
    }
  }

  VirtualStage(int threads) {
    this.threads = threads;
    executor =
        (LocalAwareExecutorPlus)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {LocalAwareExecutorPlus.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "execute" -> {
                        queue.add((Runnable) arguments[arguments.length - 1]);
                        dispatch();
                        yield null;
                      }
                      case "getMaximumPoolSize" -> threads;
                      case "getActiveTaskCount" -> active;
                      case "getPendingTaskCount" -> queue.size();
                      default -> throw new UnsupportedOperationException(method.toString());
                    });
  }

  LocalAwareExecutorPlus executor() {
    return executor;
  }

  long now() {
    return now;
  }

  /** Creates a read of this stage. */
  <T extends Read> T read(T read, long serviceNanos) {
    Read made = read;
    made.stage = this;
    made.serviceNanos = serviceNanos;
    return read;
  }

  /** Creates a read of this stage that tells when a read thread takes it. */
  Read watched(Runnable taken, long serviceNanos) {
    return read(
        new Read() {
          @Override
          void started(long nowNanos) {
            taken.run();
          }

          @Override
          void ended(long nowNanos) {}
        },
        serviceNanos);
  }

  void at(long nanos, Runnable action) {
    events.add(new Event(nanos, numbers++, action));
  }

  /** Runs everything due until a moment. */
  void runUntil(long nanos) {
    while (!events.isEmpty() && events.peek().nanos <= nanos) {
      Event next = events.poll();
      now = next.nanos;
      next.action.run();
    }
    now = nanos;
  }

  private void dispatch() {
    while (active < threads && !queue.isEmpty()) {
      Runnable task = queue.poll();
      active++;
      long begin = now;
      running = null;
      // Seen from inside, its time advances; that of the other threads does not.
      task.run();
      Read read = running;
      long end = now;
      now = begin;
      at(
          end,
          () -> {
            active--;
            dispatch();
            if (read != null) {
              read.ended(now);
            }
          });
    }
  }
}
