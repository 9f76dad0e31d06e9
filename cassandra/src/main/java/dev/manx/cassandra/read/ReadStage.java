/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Guard;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.policy.order.FifoOrder;
import dev.manx.policy.order.Order;
import dev.manx.policy.order.SharedOrder;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.TaskFactory;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.WithResources;

/**
 * Wraps the stock READ stage: while all its threads are busy, it keeps reads in the order and
 * submits one {@link ReadTicket} for each to the stage; a read that need not wait goes directly to
 * the stage. Threads, permits, {@code nodetool tpstats} and {@code setconcurrency} stay the stock
 * stage's.
 */
public final class ReadStage extends StockStage {
  /** Most waiting reads without a rank; further ones go to stock's queue. */
  public static final int MOST_IN_TURN = ReadQueue.MOST_IN_TURN;

  /** Most tables with separate learnt costs of range and index reads. */
  public static final int MOST_COSTS = LearnedCosts.MOST;

  private final Supplier<Engine> engines;
  private final ReadDescriber describer;
  private final TaskFactory tasks = TaskFactory.localAware();
  private final ReadQueue queue;
  private final LongSupplier clock;
  private final OwnHolds ownHolds;
  private final PassedReads passed = new PassedReads();
  private final ReadSample sample;
  // The limit that the order has; a racing switch may leave an older one until the next look.
  private volatile long limitNanos;

  /**
   * @param stock the stage in use so far
   * @param engine the engine that is about to act
   * @param engines the present engine; null while Manx is off
   * @throws ReflectiveOperationException if the stage's runnables have another shape than expected
   */
  public ReadStage(ExecutorPlus stock, Engine engine, Supplier<Engine> engines)
      throws ReflectiveOperationException {
    this(stock, engine, engines, new ReadRunnables());
  }

  ReadStage(ExecutorPlus stock, Engine engine, Supplier<Engine> engines, ReadRunnables runnables) {
    super(stock);
    this.engines = engines;
    this.describer = new ReadDescriber(runnables);
    this.ownHolds = new OwnHolds(this, describer);
    this.clock = engine.clock()::nanoTime;
    this.sample = new ReadSample(clock);
    // Not the engine, which holds its strategy: this object lives as long as the node.
    Guard guard = engine.guard();
    long limit = longestWaitNanos();
    Order<QueuedRead> order = newOrder(engine, limit);
    this.queue =
        new ReadQueue(
            order, engine.acting(), engine.log(), t -> guard.fault("the order of queued reads", t));
    limitNanos = limit;
    engine.load().countedBy(new StageCounts(stock, engine.counters()));
    passed.begin(engine.counters(), order.countsPassed());
  }

  /** The classes that Cassandra calls through its own types. */
  public static List<Class<?>> inThePath() {
    return List.of(ReadStage.class, ReadTicket.class);
  }

  /**
   * Switches to another strategy's order; reads already queued are served first. Rethrows
   * exceptions of creating the order, and then continues as before.
   */
  public void use(Engine engine) {
    long limit = longestWaitNanos();
    Order<QueuedRead> order = newOrder(engine, limit);
    boolean counts = order.countsPassed();
    queue.swap(order, engine.acting(), engine.log());
    limitNanos = limit;
    passed.begin(engine.counters(), counts);
    spareTicket();
  }

  private static Order<QueuedRead> newOrder(Engine engine, long limitNanos) {
    Order<QueuedRead> order = engine.strategy().newOrder();
    order.limitWait(limitNanos);
    engine.log().limitWait(limitNanos);
    return order;
  }

  /**
   * Detects an order that does not return, and a read time-out that was changed; called once a
   * second. Runs no policy code.
   */
  public void lookAtOrder() {
    queue.ranked().look();
    long longest = longestWaitNanos();
    if (longest != limitNanos) {
      limitNanos = longest;
      queue.ranked().limitWait(longest);
      Engine engine = engines.get();
      if (engine != null) {
        engine.log().limitWait(longest);
      }
    }
  }

  /** Longest wait of a read that an order may allow, so that it does not run into its time-out. */
  public static long longestWaitNanos() {
    return Verb.READ_REQ.expiresAfterNanos() / 2;
  }

  /** Serves the remaining queue first-in first-out, whatever the order was. */
  public void drain() {
    queue.swap(new FifoOrder<>(1), true, null);
    passed.end();
    spareTicket();
  }

  // One more than the number of reads, for a read whose ticket is stuck in the last order; it may
  // find the queue empty.
  private void spareTicket() {
    if (queue.size() > 0) {
      stock.execute(new ReadTicket(this, clock.getAsLong()));
    }
  }

  /** The queue of waiting ranked reads, for its counts. */
  public SharedOrder<QueuedRead> ranked() {
    return queue.ranked();
  }

  /** Number of tables with separate learnt costs of range and index reads. */
  public int tablesWithCosts() {
    return describer.tablesWithCosts();
  }

  /** Forgets dropped tables. */
  public void sweep(Predicate<TableId> exists) {
    describer.sweep(exists);
  }

  /** Number of waiting reads. */
  public int queued() {
    return queue.size();
  }

  /** Takes the next read to run; null if none waits. */
  QueuedRead next() {
    return queue.poll(clock.getAsLong());
  }

  /** Records the wait of a read that was taken. Throws VM errors only. */
  void left(QueuedRead read) {
    Engine engine = engines.get();
    if (engine == null) {
      return;
    }
    try {
      long now = clock.getAsLong();
      long waited = now - read.arrivalNanos;
      engine.measures().waits().left(read.isInTurn(), waited);
      engine.queues().waited(waited, read.ahead(), now);
    } catch (Throwable t) {
      engine.guard().fault("the waits of reads", t);
    }
  }

  /**
   * The runnable to submit to the stock stage in place of a task; null for the task itself.
   *
   * @param resources locals of the task, or null
   * @param plan the plan that may concern the task; null for none
   * @param inline whether stock runs it on the calling thread if it can
   */
  private ReadTicket ticket(
      Engine engine, WithResources resources, Runnable task, ThreadPlan plan, boolean inline) {
    QueuedRead read = null;
    boolean counted = false;
    try {
      // Stock runs such a read while any thread is free, even if that thread is about to wake up
      // for an earlier one. Without an order there is no reason to make it wait and wake another.
      boolean waits = inline && engine.standsAside() ? free() <= 0 : isFull();
      if (!waits) {
        counted = true;
        engine.counters().count(Counter.ORDER_PASSED);
      }
      if (!waits
          && !ReadDescriber.isFollowed(engine, plan)
          && !engine.log().followsReads()
          && !sample.takes()) {
        return null;
      }
      // Also if the caller has no locals: the ticket that runs the task has those of another.
      Runnable runnable =
          tasks.toExecute(resources == null ? ExecutorLocals.current() : resources, task);
      read = describer.describe(engine, task, runnable, waits);
      if (!waits) {
        return new ReadTicket(read);
      }
      return queued(engine, read);
    } catch (Throwable t) {
      if (!counted) {
        countPassed(engine);
      }
      if (read != null) {
        refused(engine, read);
      }
      engine.guard().fault("the queueing of a read", t);
      return null;
    }
  }

  /** Stops tracking a read, which runs as stock even if that fails. */
  private static void refused(Engine engine, QueuedRead read) {
    try {
      read.refused();
    } catch (Throwable t) {
      engine.guard().survived("the end of a read that was not queued", t);
    }
  }

  private static void countPassed(Engine engine) {
    try {
      engine.counters().count(Counter.ORDER_PASSED);
    } catch (Throwable t) {
      engine.guard().survived("the count of a read", t);
    }
  }

  /**
   * A ticket for a waiting read; null if there is no room for the read. Counts the read, unless it
   * throws.
   */
  private ReadTicket queued(Engine engine, QueuedRead read) {
    read.enqueued(queue.size());
    read.passedBefore = passed.before(engine.counters(), read);
    ReadTicket ticket = new ReadTicket(this, read.arrivalNanos);
    if (!queue.offer(read)) {
      read.refused();
      engine.counters().count(Counter.ORDER_OVERFLOWED);
      return null;
    }
    try {
      engine.counters().count(Counter.ORDER_QUEUED);
      read.waits();
    } catch (Throwable t) {
      // It is in the queue: stock must not run it as well.
      engine.guard().survived("the queueing of a read", t);
    }
    return ticket;
  }

  /** Describes a held read, on any thread. */
  QueuedRead describeHeld(
      Engine engine, Runnable task, ExecutorLocals locals, PlannedRead planned, long ticket)
      throws Throwable {
    return describer.describeHeld(engine, task, tasks.toExecute(locals, task), planned, ticket);
  }

  /**
   * Enters a read that was held.
   *
   * @param engine the present engine; null while Manx is off
   * @param read null if it is not described
   */
  void enter(Engine engine, QueuedRead read, Runnable task, ExecutorLocals locals) {
    ReadTicket ticket = null;
    boolean counted = false;
    try {
      if (engine != null && read != null) {
        if (isFull()) {
          ticket = queued(engine, read);
          counted = true;
        } else {
          ticket = new ReadTicket(read);
        }
      }
    } catch (Throwable t) {
      refused(engine, read);
      engine.guard().survived("the queueing of a read", t);
    }
    if (engine != null && !counted) {
      countPassed(engine);
    }
    if (ticket == null) {
      stock.execute(locals, task);
    } else {
      stock.execute(ticket);
    }
  }

  /**
   * Whether an arriving read must wait for another to end. If not, there is nothing to order, and
   * it takes stock's path, without a ticket and another thread's wake-up.
   */
  private boolean isFull() {
    return stock.getPendingTaskCount() >= free();
  }

  private int free() {
    return stock.getMaximumPoolSize() - stock.getActiveTaskCount();
  }

  @Override
  public void execute(Runnable task) {
    Engine engine = engines.get();
    ReadTicket ticket =
        engine == null ? null : ticket(engine, null, task, describer.plan(task), false);
    stock.execute(ticket == null ? task : ticket);
  }

  @Override
  public void execute(WithResources resources, Runnable task) {
    Engine engine = engines.get();
    ReadTicket ticket =
        engine == null ? null : ticket(engine, resources, task, describer.plan(task), false);
    if (ticket == null) {
      stock.execute(resources, task);
    } else {
      stock.execute(ticket);
    }
  }

  @Override
  public void maybeExecuteImmediately(Runnable task) {
    Engine engine = engines.get();
    if (engine == null) {
      stock.maybeExecuteImmediately(task);
      return;
    }
    ThreadPlan plan = describer.plan(task);
    if (plan != null && ownHolds.holds(engine, plan, task)) {
      return;
    }
    ReadTicket ticket = ticket(engine, null, task, plan, true);
    if (ticket == null) {
      stock.maybeExecuteImmediately(task);
    } else if (ticket.isBound() && !(ticket.mayBeCopied() && engine.acting())) {
      stock.maybeExecuteImmediately(ticket);
    } else {
      // Not on the caller's thread: the ticket could serve another read there, or the answer of a
      // copy could not free the thread.
      stock.execute(ticket);
    }
  }
}
