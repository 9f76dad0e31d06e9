/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.client.log.SparseLog;
import dev.manx.policy.NanoClock;
import dev.manx.shares.ControllerSettings;
import dev.manx.shares.DecisionStatistics;
import dev.manx.shares.PolicyReport;
import dev.manx.shares.RecentWindows;
import dev.manx.shares.ShareController.Outcome;
import dev.manx.shares.SharePolicy;
import dev.manx.shares.WindowStatistics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves space between shares. Once per interval it takes the recorded statistics, exchanges them
 * with other application servers, asks the share controller, and applies its moves, shrinking
 * before growing.
 *
 * <p>Runs one daemon thread, which sleeps between ticks on a condition. It never fails: if a tick
 * throws, even in application code, the shares stay as they are, and the failure is counted and
 * logged with its cause. An interrupt does not end it. Any thread may add and remove shares; both
 * wait for the stores of a move in progress, at most some seconds.
 */
public final class ControlLoop implements AutoCloseable {
  private static final Duration MOVE_TIME_OUT = Duration.ofSeconds(5);
  private static final double PERCENT = 100;
  private static final Logger LOGGER = LoggerFactory.getLogger(ControlLoop.class);

  private final SparseLog log = new SparseLog(ControlLoop.class);
  private final SparseLog exchangeLog = new SparseLog(ControlLoop.class);
  private final SharePolicy policy;
  private final ControllerSettings settings;
  private final Recorder recorder;
  private final StatisticsExchange exchange;
  private final NanoClock clock;
  private final Resizer resizer;
  private final Stops stops;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private MoveListener listener = (bytes, nanos) -> {};
  private Thread thread;

  // Guarded by lock.
  private final Division division;
  private final RecentWindows windows = new RecentWindows(ControllerSettings.MOST_WINDOWS);
  private boolean started;
  private boolean closed;
  private long ticks;
  private long frozen;
  private long deferred;
  private long failures;

  // Published for readers, which must not wait for a move in progress.
  private volatile WindowStatistics recent = WindowStatistics.empty(List.of());
  private volatile LoopStats stats =
      new LoopStats(0, Outcome.IDLE, 0, 0, 0, 0, 0, 0, 0, Set.of(), PolicyReport.NONE);

  /** Creates a loop without shares that is not yet running. */
  public ControlLoop(
      SharePolicy policy,
      ControllerSettings settings,
      long capacityBytes,
      Recorder recorder,
      StatisticsExchange exchange,
      NanoClock clock) {
    this(policy, settings, capacityBytes, recorder, exchange, clock, MOVE_TIME_OUT);
  }

  ControlLoop(
      SharePolicy policy,
      ControllerSettings settings,
      long capacityBytes,
      Recorder recorder,
      StatisticsExchange exchange,
      NanoClock clock,
      Duration moveTimeOut) {
    resizer = new Resizer(moveTimeOut);
    stops = new Stops(settings.longestNanos(), clock.nanoTime());
    this.policy = policy;
    this.settings = settings;
    this.recorder = recorder;
    this.exchange = exchange;
    this.clock = clock;
    division = new Division(policy, settings, capacityBytes, resizer, clock);
  }

  /** Sets the listener of completed decisions; before {@link #start}. */
  public void listen(MoveListener newListener) {
    listener = newListener;
  }

  /** Starts the thread. */
  public void start() {
    thread = new Thread(this::run, "manx-control");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    lock.lock();
    try {
      while (!closed) {
        awaitTick();
        if (!closed) {
          tickUnlocked();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void awaitTick() {
    long left = settings.intervalNanos();
    while (left > 0 && !closed) {
      try {
        left = closing.awaitNanos(left);
      } catch (InterruptedException e) {
        // Application code interrupted this thread; only close() may end it.
      }
    }
  }

  /** Runs a tick, which waits for other servers, without a lock that other threads need. */
  private void tickUnlocked() {
    lock.unlock();
    try {
      tick();
    } catch (Throwable e) {
      log.warn("a tick of the control loop failed; the next one follows", e);
    } finally {
      lock.lock();
    }
  }

  /** Runs one tick now; for tests and for virtual time. */
  public void tick() {
    Optional<StatisticsExchange.Merged> merged = Optional.empty();
    boolean exchanged = false;
    try {
      long now = clock.nanoTime();
      WindowStatistics own = recorder.cut();
      if (stops.spoil(now)) {
        own = WindowStatistics.empty(own.backends());
      }
      merged = exchange.exchange(now, own);
      if (merged.isEmpty()) {
        exchangeLog.warn("no statistics, so the shares stay: " + exchange.lastFailure(), null);
      }
      exchanged = true;
    } catch (Throwable e) {
      // Whatever the cause, the thread must not end; the shares stay as they were.
      log.warn("the exchange of statistics failed; the shares stay as they are", e);
    }
    Division.Done done = null;
    lock.lock();
    try {
      ticks++;
      failures += exchanged ? 0 : 1;
      done = decide(merged);
    } catch (Throwable e) {
      failures++;
      log.warn("a tick of the control loop failed; the shares stay as they are", e);
    } finally {
      publish();
      lock.unlock();
    }
    // Without the lock: the listener may wait for a thread that adds or removes a share.
    if (done != null) {
      listener.moved(done.bytes(), done.nanos());
    }
  }

  private Division.Done decide(Optional<StatisticsExchange.Merged> merged) {
    long now = clock.nanoTime();
    DecisionStatistics news = null;
    if (merged.isPresent()) {
      windows.add(merged.get().asOfNanos(), merged.get().window());
      recent = windows.recent(settings.windowNanos(), policy.enoughRequests());
      started |= recent.requests() > 0;
      news = windows.forDecision(recent, policy);
    } else if (Math.abs(now - windows.endNanos()) > settings.staleNanos()) {
      // Observers must not take old latencies for present ones.
      recent = WindowStatistics.empty(recent.backends());
    }
    if (!policy.partitions()) {
      return null;
    }
    Division.Done done = division.decide(ticks, now, news, !started);
    frozen += division.outcome() == Outcome.FROZEN ? 1 : 0;
    deferred += division.outcome() == Outcome.DEFERRED ? 1 : 0;
    return done;
  }

  /**
   * Adds a share. Before the first requests all shares are made equal; later a new one begins at
   * its floor.
   *
   * @throws IllegalArgumentException if the name is already in use or the floors together exceed
   *     the capacity
   */
  public void add(Share share) {
    lock.lock();
    try {
      if (started) {
        division.add(share, clock.nanoTime());
      } else {
        division.addEqual(share);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Removes a share; the others receive its space at the next tick. Its store is not closed. */
  public void remove(String name) {
    lock.lock();
    try {
      division.remove(name);
    } finally {
      lock.unlock();
    }
  }

  /** Waits at most this long for the thread to end; returns whether it has. */
  boolean awaitEnd(Duration most) throws InterruptedException {
    thread.join(most.toMillis());
    return !thread.isAlive();
  }

  /** The statistics of the last decision; empty if they are older than {@code stale-after}. */
  public WindowStatistics recent() {
    return recent;
  }

  /** Counters up to the last tick. */
  public LoopStats stats() {
    return stats;
  }

  private void publish() {
    PolicyReport report = stats.policy();
    try {
      report = policy.report();
      say(report);
    } catch (Throwable e) {
      failures++;
      log.warn("the report of the policy failed", e);
    }
    stats =
        new LoopStats(
            ticks,
            division.outcome(),
            frozen,
            deferred,
            resizer.moves(),
            resizer.bytesMoved(),
            resizer.failed(),
            failures,
            recorder.lost(),
            division.fixed(),
            report);
  }

  private void say(PolicyReport report) {
    // In shadow mode nothing moves, so there is nothing to report.
    boolean moves = report.wanted().isEmpty();
    if (moves && report.resting() != stats.policy().resting()) {
      LOGGER.info(
          report.resting()
              ? "the policy's shares cost {} % more request time than those of a shared cache: they"
                  + " move to those, and the policy rests"
              : "the policy divides the cache again",
          Math.round(PERCENT * report.loss()));
    }
  }

  /** Ends the thread; the shares stay as they are. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
    exchange.close();
  }
}
