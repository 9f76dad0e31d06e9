/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.client.log.SparseLog;
import dev.manx.policy.NanoClock;
import dev.manx.shares.ControllerSettings;
import dev.manx.shares.LocalCache;
import dev.manx.shares.MissCurve;
import dev.manx.shares.Move;
import dev.manx.shares.PolicyReport;
import dev.manx.shares.RecentWindows;
import dev.manx.shares.ShareController;
import dev.manx.shares.ShareController.Outcome;
import dev.manx.shares.SharePolicy;
import dev.manx.shares.WindowStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves space between shares: once per interval it takes what was recorded, exchanges it with other
 * application servers, asks the share controller, and applies its moves, shrinking before growing.
 *
 * <p>One daemon thread, which sleeps between ticks on a condition. It never fails: a tick that
 * throws, in code of the application too, leaves the shares as they are, counts, and is logged with
 * its cause; an interrupt does not end it. Any thread may add and remove shares; both wait for the
 * stores of a move under way, at most some seconds.
 */
public final class ControlLoop implements AutoCloseable {
  private static final Duration MOVE_TIME_OUT = Duration.ofSeconds(5);
  private static final int WINDOWS = 64;
  private static final double PERCENT = 100;
  private static final Logger LOGGER = LoggerFactory.getLogger(ControlLoop.class);

  private final SparseLog log = new SparseLog(ControlLoop.class);
  private final SparseLog exchangeLog = new SparseLog(ControlLoop.class);
  private final SharePolicy policy;
  private final ControllerSettings settings;
  private final long capacityBytes;
  private final Recorder recorder;
  private final StatisticsExchange exchange;
  private final NanoClock clock;
  private final Resizer resizer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private Thread thread;

  // Guarded by lock.
  private final Map<String, Share> shares = new LinkedHashMap<>();
  private final FixedShares fixed = new FixedShares();
  private final Seen seen = new Seen();
  private final RecentWindows windows = new RecentWindows(WINDOWS);
  private ShareController controller;
  private boolean started;
  private boolean closed;
  private long ticks;
  private long frozen;
  private long deferred;
  private long failures;

  // Published for those who only look, and must not wait for a move under way.
  private volatile WindowStatistics recent = WindowStatistics.empty(List.of());
  private volatile LoopStats stats =
      new LoopStats(0, Outcome.IDLE, 0, 0, 0, 0, 0, 0, 0, Set.of(), PolicyReport.NONE);

  /** Without shares yet, and not running yet. */
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
    this.resizer = new Resizer(moveTimeOut);
    this.policy = policy;
    this.settings = settings;
    this.capacityBytes = capacityBytes;
    this.recorder = recorder;
    this.exchange = exchange;
    this.clock = clock;
    controller = new ShareController(policy, settings, capacityBytes, List.of());
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
        // Code of the application interrupted this thread, which only close() ends.
      }
    }
  }

  /** A tick waits for other servers; no other thread should wait for this one meanwhile. */
  private void tickUnlocked() {
    lock.unlock();
    try {
      tick();
    } catch (Throwable e) {
      log.warn("a tick of the control loop failed; the next one comes", e);
    } finally {
      lock.lock();
    }
  }

  /** Does at once what the thread does once per interval; for tests and for time that is played. */
  public void tick() {
    Optional<StatisticsExchange.Merged> merged = Optional.empty();
    boolean exchanged = false;
    try {
      merged = exchange.exchange(clock.nanoTime(), recorder.cut());
      if (merged.isEmpty()) {
        exchangeLog.warn("no statistics, so the shares stay: " + exchange.lastFailure(), null);
      }
      exchanged = true;
    } catch (Throwable e) {
      // Whatever it was: it must not end the thread, and the shares are as good as they were.
      log.warn("the exchange of statistics failed; the shares stay as they are", e);
    }
    lock.lock();
    try {
      ticks++;
      failures += exchanged ? 0 : 1;
      decide(merged);
    } catch (Throwable e) {
      failures++;
      log.warn("a tick of the control loop failed; the shares stay as they are", e);
    } finally {
      publish();
      lock.unlock();
    }
  }

  private void decide(Optional<StatisticsExchange.Merged> merged) {
    long now = clock.nanoTime();
    if (merged.isPresent()) {
      windows.add(merged.get().asOfNanos(), merged.get().window());
      recent = windows.recent(settings.windowNanos(), policy.enoughRequests());
      started |= recent.requests() > 0;
    }
    if (!policy.partitions()) {
      return;
    }
    fixed.release(ticks, controller);
    // Without news no decision: old statistics must not tax a share twice.
    apply(controller.tick(now, merged.isPresent() ? recent : null, windows.endNanos(), seen));
    frozen += controller.outcome() == Outcome.FROZEN ? 1 : 0;
    deferred += controller.outcome() == Outcome.DEFERRED ? 1 : 0;
  }

  /** The shares as the controller sees them. */
  private final class Seen implements LocalCache {
    @Override
    public long usedBytes(String backend) {
      Share share = shares.get(backend);
      return share == null ? 0 : share.store().usedBytes();
    }

    @Override
    public MissCurve missCurve(String backend) {
      Share share = shares.get(backend);
      return share == null ? null : share.missCurve();
    }
  }

  /**
   * Adds a share. Until requests were seen all shares are made equal; afterwards a new one begins
   * at its floor.
   *
   * @throws IllegalArgumentException if the name is there or the floors together exceed the
   *     capacity
   */
  public void add(Share share) {
    lock.lock();
    try {
      if (started) {
        controller.granularity(share.store().pageBytes());
        controller.add(share.name(), share.leastBytes());
        shares.put(share.name(), share);
        apply(controller.tick(clock.nanoTime(), null, 0, seen));
      } else {
        addEqual(share);
      }
    } finally {
      lock.unlock();
    }
  }

  private void addEqual(Share share) {
    List<String> names = new ArrayList<>(shares.keySet());
    names.add(share.name());
    long granularity = share.store().pageBytes();
    for (Share each : shares.values()) {
      granularity = Math.max(granularity, each.store().pageBytes());
    }
    ShareController equal =
        new ShareController(policy, settings, capacityBytes, names, granularity);
    for (Share each : shares.values()) {
      equal.floor(each.name(), each.leastBytes());
    }
    equal.floor(share.name(), share.leastBytes());
    controller = equal;
    fixed.clear();
    List<Move> all = new ArrayList<>();
    for (Share each : shares.values()) {
      all.add(new Move(each.name(), each.store().allocatedBytes(), equal.limitBytes(each.name())));
    }
    shares.put(share.name(), share);
    all.add(new Move(share.name(), share.store().allocatedBytes(), equal.limitBytes(share.name())));
    resizer.resize(all.stream().filter(Move::shrinks).toList(), shares);
    resizer.resize(all.stream().filter(move -> !move.shrinks()).toList(), shares);
  }

  /** Removes a share; the others get its space at the next tick. Its store is not closed. */
  public void remove(String name) {
    lock.lock();
    try {
      if (shares.remove(name) != null) {
        fixed.remove(name);
        // The caller closes the store, so its space is free for certain.
        for (Move move : controller.remove(name)) {
          grow(controller.confirm(move.backend(), move.toBytes()));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void apply(List<Move> shrinks) {
    Map<Move, Long> reached = resizer.resize(shrinks, shares);
    List<Move> grows = new ArrayList<>();
    reached.forEach((move, bytes) -> grows.addAll(confirm(move, bytes)));
    fixed.fix(resizer.takeRefused(), ticks, controller);
    grows.addAll(controller.grow());
    grow(grows);
  }

  private void grow(List<Move> grows) {
    List<Move> next = grows;
    while (!next.isEmpty()) {
      List<Move> more = new ArrayList<>();
      resizer.resize(next, shares).forEach((move, bytes) -> more.addAll(confirm(move, bytes)));
      fixed.fix(resizer.takeRefused(), ticks, controller);
      next = more;
    }
  }

  private List<Move> confirm(Move move, long bytes) {
    long limit = controller.limitBytes(move.backend());
    return controller.confirm(move.backend(), Math.max(0, Math.min(limit, bytes)));
  }

  /** Whether the thread has ended, waiting for it so long. */
  boolean awaitEnd(Duration most) throws InterruptedException {
    thread.join(most.toMillis());
    return !thread.isAlive();
  }

  /** The statistics that the last decision rested on. */
  public WindowStatistics recent() {
    return recent;
  }

  /** What it has done up to its last tick. */
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
            controller.outcome(),
            frozen,
            deferred,
            resizer.moves(),
            resizer.bytesMoved(),
            resizer.failed(),
            failures,
            recorder.lost(),
            fixed.names(),
            report);
  }

  private void say(PolicyReport report) {
    // In shadow nothing moves, so there is nothing to say of it.
    boolean moves = !Double.isNaN(report.loss());
    if (moves && report.resting() != stats.policy().resting()) {
      LOGGER.info(
          report.resting()
              ? "the policy's shares cost {} % more request time than a shared cache's would: they"
                  + " go there, and the policy rests"
              : "the policy divides the cache again",
          Math.round(PERCENT * stats.policy().loss()));
    }
  }

  /** Ends the thread; shares stay as they are. */
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
