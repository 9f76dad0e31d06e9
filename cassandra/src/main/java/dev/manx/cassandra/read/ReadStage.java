/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.policy.order.FifoOrder;
import dev.manx.policy.order.Order;
import dev.manx.policy.order.SharedOrder;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.concurrent.TaskFactory;
import org.apache.cassandra.utils.WithResources;
import org.apache.cassandra.utils.concurrent.Future;

/**
 * Stands in front of the stock READ stage: keeps its reads in the order and hands it one {@link
 * ReadTicket} for each. Threads, permits, {@code nodetool tpstats} and {@code setconcurrency} stay
 * the stock stage's.
 */
public final class ReadStage implements LocalAwareExecutorPlus {
  private final ExecutorPlus stock;
  private final Supplier<Engine> engines;
  private final ReadDescriber describer;
  private final TaskFactory tasks = TaskFactory.localAware();
  private final SharedOrder<QueuedRead> queue;
  private final LongSupplier clock;

  /**
   * @param stock the stage in use so far
   * @param engine the engine that is about to act
   * @param engines the engine of the moment; null while Manx is off
   * @throws ReflectiveOperationException if the stage's runnables have another shape than expected
   */
  public ReadStage(ExecutorPlus stock, Engine engine, Supplier<Engine> engines)
      throws ReflectiveOperationException {
    this.stock = stock;
    this.engines = engines;
    this.describer = new ReadDescriber(new ReadRunnables());
    this.clock = engine.clock()::nanoTime;
    Order<QueuedRead> order = engine.strategy().newOrder();
    this.queue =
        new SharedOrder<>(
            order,
            engine.acting(),
            engine.log(),
            t -> engine.guard().fault("the order of queued reads", t));
  }

  /** The stage it stands in front of. */
  public ExecutorPlus stock() {
    return stock;
  }

  /** Orders by another strategy from now on; reads already queued go first. */
  public void use(Engine engine) {
    queue.swap(engine.strategy().newOrder(), engine.acting(), engine.log());
  }

  /** Serves what is still queued first-in first-out, whatever the order was. */
  public void drain() {
    queue.swap(new FifoOrder<>(1), true);
    if (queue.size() > 0) {
      // One ticket more than there are reads, for one that is stuck in the order; if none is, it
      // finds
      // nothing to do.
      stock.execute(new ReadTicket(this, clock.getAsLong()));
    }
  }

  /** The queue, for its counts. */
  public SharedOrder<QueuedRead> queue() {
    return queue;
  }

  QueuedRead next() {
    return queue.poll(clock.getAsLong());
  }

  /** Queues a task of ours; null if it is to run as stock. */
  private ReadTicket queued(Runnable task, Runnable runnable) {
    Engine engine = engines.get();
    if (engine == null) {
      return null;
    }
    try {
      QueuedRead read = describer.describe(engine, task, runnable);
      engine.load().enqueued(read.costNanos);
      if (!queue.offer(read)) {
        engine.load().dropped(read.costNanos);
        engine.counters().count(Counter.ORDER_OVERFLOWED);
        return null;
      }
      engine.counters().count(Counter.ORDER_QUEUED);
      return new ReadTicket(this, read.arrivalNanos);
    } catch (Throwable t) {
      engine.guard().fault("the queueing of a read", t);
      return null;
    }
  }

  @Override
  public void execute(Runnable task) {
    Runnable runnable = tasks.toExecute(task);
    ReadTicket ticket = queued(task, runnable);
    if (ticket == null) {
      stock.execute(task);
    } else {
      stock.execute(ticket);
    }
  }

  @Override
  public void execute(WithResources resources, Runnable task) {
    ReadTicket ticket = queued(task, tasks.toExecute(resources, task));
    if (ticket == null) {
      stock.execute(resources, task);
    } else {
      stock.execute(ticket);
    }
  }

  @Override
  public void maybeExecuteImmediately(Runnable task) {
    ReadTicket ticket = queued(task, tasks.toExecute(task));
    if (ticket == null) {
      stock.maybeExecuteImmediately(task);
    } else {
      // Not at once: the ticket could serve another read than the caller's, on the caller's thread.
      stock.execute(ticket);
    }
  }

  // What is submitted is not a read of a request (cache loading and the like) and stays stock.

  @Override
  public <T> Future<T> submit(Callable<T> task) {
    return stock.submit(task);
  }

  @Override
  public <T> Future<T> submit(Runnable task, T result) {
    return stock.submit(task, result);
  }

  @Override
  public Future<?> submit(Runnable task) {
    return stock.submit(task);
  }

  @Override
  public <T> Future<T> submit(WithResources resources, Callable<T> task) {
    return stock.submit(resources, task);
  }

  @Override
  public Future<?> submit(WithResources resources, Runnable task) {
    return stock.submit(resources, task);
  }

  @Override
  public <T> Future<T> submit(WithResources resources, Runnable task, T result) {
    return stock.submit(resources, task, result);
  }

  @Override
  public boolean inExecutor() {
    return stock.inExecutor();
  }

  @Override
  public void shutdown() {
    stock.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return stock.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return stock.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return stock.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return stock.awaitTermination(timeout, unit);
  }

  @Override
  public int getCorePoolSize() {
    return stock.getCorePoolSize();
  }

  @Override
  public void setCorePoolSize(int size) {
    stock.setCorePoolSize(size);
  }

  @Override
  public int getMaximumPoolSize() {
    return stock.getMaximumPoolSize();
  }

  @Override
  public void setMaximumPoolSize(int size) {
    stock.setMaximumPoolSize(size);
  }

  @Override
  public int getActiveTaskCount() {
    return stock.getActiveTaskCount();
  }

  @Override
  public long getCompletedTaskCount() {
    return stock.getCompletedTaskCount();
  }

  @Override
  public int getPendingTaskCount() {
    return stock.getPendingTaskCount();
  }

  @Override
  public int getMaxTasksQueued() {
    return stock.getMaxTasksQueued();
  }

  @Override
  public long oldestTaskQueueTime() {
    return stock.oldestTaskQueueTime();
  }
}
