/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Guard;
import dev.manx.cassandra.coordinate.HeldPlan;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.hold.Departures;
import dev.manx.policy.facts.LocalLoad;
import dev.manx.policy.order.FifoOrder;
import dev.manx.policy.order.Order;
import dev.manx.policy.order.SharedOrder;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.TaskFactory;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.WithResources;

/**
 * Stands in front of the stock READ stage: while all its threads are busy it keeps reads in the
 * order and hands the stage one {@link ReadTicket} for each; a read that need not wait goes to the
 * stage as it is. Threads, permits, {@code nodetool tpstats} and {@code setconcurrency} stay the
 * stock stage's.
 */
public final class ReadStage extends StockStage {
  // One read in so many, a power of two, and none sooner after another than so.
  private static final int SAMPLE = 16;
  private static final long SAMPLE_GAP_NANOS = 5_000_000;

  /** Most reads without a rank that wait at a time; those beyond take stock's queue. */
  public static final int MOST_IN_TURN = ReadQueue.MOST_IN_TURN;

  /** Most tables whose range and index reads have a learned cost of their own. */
  public static final int MOST_COSTS = LearnedCosts.MOST;

  private final Supplier<Engine> engines;
  private final ReadDescriber describer;
  private final TaskFactory tasks = TaskFactory.localAware();
  private final ReadQueue queue;
  private final LongSupplier clock;
  private volatile long sampledNanos;

  /**
   * @param stock the stage in use so far
   * @param engine the engine that is about to act
   * @param engines the engine of the moment; null while Manx is off
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
    this.clock = engine.clock()::nanoTime;
    this.sampledNanos = clock.getAsLong() - SAMPLE_GAP_NANOS;
    // Not the engine, which holds its strategy: this lives as long as the node.
    Guard guard = engine.guard();
    Order<QueuedRead> order = engine.strategy().newOrder();
    this.queue =
        new ReadQueue(
            order, engine.acting(), engine.log(), t -> guard.fault("the order of queued reads", t));
    engine.load().countedBy(new Counts(stock));
  }

  /** The stock stage's own counts: every read passes through it, queued here or not. */
  private record Counts(ExecutorPlus stock) implements LocalLoad.Stage {
    @Override
    public long pendingReads() {
      return (long) stock.getActiveTaskCount() + stock.getPendingTaskCount();
    }

    @Override
    public long completedReads() {
      return stock.getCompletedTaskCount();
    }
  }

  /** The classes that Cassandra calls by types of its own. */
  public static List<Class<?>> inThePath() {
    return List.of(ReadStage.class, ReadTicket.class);
  }

  /**
   * Orders by another strategy from now on; reads already queued go first. Throws what the making
   * of its order throws, and goes on as before then.
   */
  public void use(Engine engine) {
    queue.swap(engine.strategy().newOrder(), engine.acting(), engine.log());
    spareTicket();
  }

  /** Serves what is still queued first-in first-out, whatever the order was. */
  public void drain() {
    queue.swap(new FifoOrder<>(1), true, null);
    spareTicket();
  }

  // One more than there are reads, for one whose ticket is stuck in the last order; it may find
  // nothing.
  private void spareTicket() {
    if (queue.size() > 0) {
      stock.execute(new ReadTicket(this, clock.getAsLong()));
    }
  }

  /** The ranked reads that wait, for their counts. */
  public SharedOrder<QueuedRead> ranked() {
    return queue.ranked();
  }

  /** Tables whose range and index reads have a learned cost of their own. */
  public int tablesWithCosts() {
    return describer.tablesWithCosts();
  }

  /** Forgets the tables that are no more. */
  public void sweep(Predicate<TableId> exists) {
    describer.sweep(exists);
  }

  /** Reads that wait. */
  public int queued() {
    return queue.size();
  }

  /** Takes the read that is to run next; null if none waits. */
  QueuedRead next() {
    return queue.poll(clock.getAsLong());
  }

  /** Notes how long a read that was taken has waited. Throws errors of the VM only. */
  void left(QueuedRead read) {
    Engine engine = engines.get();
    if (engine == null) {
      return;
    }
    try {
      long now = clock.getAsLong();
      long waited = now - read.arrivalNanos;
      engine.measures().waits().left(read.isInTurn(), waited);
      engine.queues().waited(waited, now);
    } catch (Throwable t) {
      engine.guard().fault("the waits of reads", t);
    }
  }

  /**
   * The runnable that goes to the stock stage in place of a task; null for the task itself.
   *
   * @param resources of the task, or null
   */
  private ReadTicket ticket(Engine engine, WithResources resources, Runnable task) {
    QueuedRead read = null;
    try {
      boolean waits = isFull();
      if (!waits) {
        engine.counters().count(Counter.ORDER_PASSED);
      }
      if (!waits
          && !describer.isFollowed(engine, task)
          && !engine.log().followsReads()
          && !sampled()) {
        return null;
      }
      // Also where the caller has no locals: the ticket that runs the task has those of another's.
      Runnable runnable =
          tasks.toExecute(resources == null ? ExecutorLocals.current() : resources, task);
      read = describer.describe(engine, task, runnable, waits);
      if (!waits) {
        return new ReadTicket(read);
      }
      return queued(engine, read);
    } catch (Throwable t) {
      if (read != null) {
        read.refused();
      }
      engine.guard().fault("the queueing of a read", t);
      return null;
    }
  }

  /** A ticket for a read that waits; null if there is no room for it. */
  private ReadTicket queued(Engine engine, QueuedRead read) {
    read.enqueued();
    ReadTicket ticket = new ReadTicket(this, read.arrivalNanos);
    if (!queue.offer(read)) {
      read.refused();
      engine.counters().count(Counter.ORDER_OVERFLOWED);
      return null;
    }
    try {
      read.waits();
      engine.counters().count(Counter.ORDER_QUEUED);
    } catch (Throwable t) {
      // It is in the queue: stock must not run it as well.
      engine.guard().fault("the queueing of a read", t);
    }
    return ticket;
  }

  /** Whether a read of the calling thread's plan does not enter yet; it will by itself. */
  private boolean held(Engine engine, Runnable task) {
    try {
      ThreadPlan plan = ThreadPlan.current();
      int planned = describer.planned(plan, task);
      Departures departures = engine.holds().departures();
      if (planned < 0 || departures == null || !HeldPlan.concerns(engine, plan, planned)) {
        return false;
      }
      long ticket = describer.newTicket();
      return HeldPlan.holds(
          engine,
          plan,
          planned,
          engine.self(),
          ticket,
          departures.expiresAtNanos(task) - clock.getAsLong(),
          () ->
              new HeldOwnRead(
                  engine,
                  plan.holds(),
                  this,
                  departures,
                  task,
                  ExecutorLocals.current(),
                  PlannedRead.of(plan, planned),
                  ticket));
    } catch (Throwable t) {
      engine.guard().fault("the hold of a read", t);
      return false;
    }
  }

  /** Describes a read that was held, on any thread. */
  QueuedRead describeHeld(
      Engine engine, Runnable task, ExecutorLocals locals, PlannedRead planned, long ticket)
      throws Throwable {
    return describer.describeHeld(engine, task, tasks.toExecute(locals, task), planned, ticket);
  }

  /**
   * A read that was held enters.
   *
   * @param engine the one of the moment; null while Manx is off
   * @param read null if it is not described
   */
  void enter(Engine engine, QueuedRead read, Runnable task, ExecutorLocals locals) {
    ReadTicket ticket = null;
    try {
      if (engine != null && read != null) {
        ticket = isFull() ? queued(engine, read) : new ReadTicket(read);
      }
    } catch (Throwable t) {
      read.refused();
      engine.guard().fault("the queueing of a read", t);
    }
    if (ticket == null) {
      stock.execute(locals, task);
    } else {
      stock.execute(ticket);
    }
  }

  /**
   * Whether a read that comes now has to wait for another to end. If not there is nothing to order,
   * and it takes the path that it takes in stock, without a ticket and another thread's wake-up.
   */
  private boolean isFull() {
    int free = stock.getMaximumPoolSize() - stock.getActiveTaskCount();
    return stock.getPendingTaskCount() >= free;
  }

  /**
   * Service times of reads that need not wait are learnt from a sample, which does not grow with
   * their rate: a busy node has no time for it. Threads that race for it may time a read more.
   */
  private boolean sampled() {
    if ((ThreadLocalRandom.current().nextInt() & SAMPLE - 1) != 0) {
      return false;
    }
    long now = clock.getAsLong();
    if (now - sampledNanos < SAMPLE_GAP_NANOS) {
      return false;
    }
    sampledNanos = now;
    return true;
  }

  @Override
  public void execute(Runnable task) {
    Engine engine = engines.get();
    ReadTicket ticket = engine == null ? null : ticket(engine, null, task);
    stock.execute(ticket == null ? task : ticket);
  }

  @Override
  public void execute(WithResources resources, Runnable task) {
    Engine engine = engines.get();
    ReadTicket ticket = engine == null ? null : ticket(engine, resources, task);
    if (ticket == null) {
      stock.execute(resources, task);
    } else {
      stock.execute(ticket);
    }
  }

  @Override
  public void maybeExecuteImmediately(Runnable task) {
    Engine engine = engines.get();
    if (engine != null && held(engine, task)) {
      return;
    }
    ReadTicket ticket = engine == null ? null : ticket(engine, null, task);
    if (ticket == null) {
      stock.maybeExecuteImmediately(task);
    } else if (ticket.isBound()) {
      stock.maybeExecuteImmediately(ticket);
    } else {
      // Not at once: the ticket could serve another read than the caller's, on the caller's thread.
      stock.execute(ticket);
    }
  }
}
