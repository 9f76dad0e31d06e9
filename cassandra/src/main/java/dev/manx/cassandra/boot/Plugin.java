/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.ManxQueryHandler;
import dev.manx.cassandra.control.Breaker;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Counters;
import dev.manx.cassandra.control.Guard;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.control.QueueWatch;
import dev.manx.cassandra.control.Version;
import dev.manx.cassandra.coordinate.InFlight;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.latency.TableTimers;
import dev.manx.cassandra.latency.TimedReads;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.cassandra.record.Recorder;
import dev.manx.cassandra.show.JmxControl;
import dev.manx.cassandra.show.ManxTables;
import dev.manx.cassandra.show.SwitchPermission;
import dev.manx.cassandra.wire.FactsPace;
import dev.manx.policy.NanoClock;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.HopMeter;
import dev.manx.policy.facts.LocalLoad;
import dev.manx.policy.facts.Ticket;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manx on this node: owns the engine of the moment, and is where every switch (YAML at boot, CQL,
 * JMX, kill file, breaker) ends. Any thread.
 */
/*
 * Switches are serialized by a lock that is never waited for longer than half a second, because a
 * policy's code may run with it held and may never return. Off does not need it: without an engine every
 * hook is as good as gone, and the holder of the lock takes them out when it ends. Policies
 * are built outside the lock.
 */
public final class Plugin implements Control {
  private static final Logger logger = LoggerFactory.getLogger(Plugin.class);
  private static final long TICK_MILLIS = 100;
  private static final int TICKS_PER_PRICE = 10;
  private static final long WATCH_MILLIS = 1_000;
  private static final long LOCK_MILLIS = 500;
  private static final String DOCUMENT = "manx.strategy";

  private final NanoClock clock = System::nanoTime;
  private final Counters counters = new Counters();
  private final LocalLoad load = new LocalLoad();
  private final PluginConfig config;
  private final Breaker breaker;
  private final Guard guard;
  private final Nodes nodes;
  private final ClusterState state;
  private final QueueWatch queues;
  private final HopMeter hops;
  private final FactsPace pace;
  private final Recorder recorder;
  private final TimedReads timed = new TimedReads();
  private final TableTimers timers;
  private final Hooks hooks;
  private final ScheduledExecutorService control;
  private final Timer timer = new Timer(clock, this::tick, TICK_MILLIS);
  private final ReentrantLock switching = new ReentrantLock();
  private final String file;
  private final int self;
  // The timer's own.
  private int ticks;
  private volatile Engine engine;
  private volatile Strategy strategy;
  // The last one with an oracle, so that a switch to a strategy without one and back forgets
  // nothing.
  private volatile Strategy learned;
  private volatile Mode mode = Mode.OFF;
  private volatile boolean installed;
  private volatile String trouble;
  // Why the file was refused; the strategy is then empty and must not be switched on.
  private volatile String refused;
  // What the breaker switched off, to be tried again.
  private volatile Mode interrupted = Mode.OFF;

  Plugin(
      PluginConfig config, RecordConfig recording, String file, Strategy strategy, String trouble) {
    this.config = config;
    this.file = file;
    this.strategy = strategy;
    this.trouble = trouble;
    this.refused = trouble;
    breaker =
        new Breaker(
            config.breakerFailures(), config.breakerWindowNanos(), config.breakerRetryNanos());
    control =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "manx-control");
              thread.setDaemon(true);
              return thread;
            });
    guard = new Guard(counters, breaker, clock, this::breakerOpened);
    nodes = new Nodes(config.nodes());
    state = new ClusterState(config.nodes(), config.outstanding());
    queues = new QueueWatch(config.calmAfterNanos(), clock.nanoTime());
    hops = new HopMeter(config.nodes());
    pace = new FactsPace(config.nodes());
    self = nodes.id(FBUtilities.getBroadcastAddressAndPort());
    recorder =
        new Recorder(
            recording,
            counters,
            FBUtilities.getBroadcastAddressAndPort().getHostAddressAndPort(),
            config.nodes());
    timers =
        new TableTimers(
            () -> ThreadPlan.current().times(), t -> guard.fault("the timing of a read", t));
    hooks =
        new Hooks(
            () -> engine,
            new Peers(() -> engine),
            new InFlight(config.keysInFlight(), config.bytesInFlight()),
            timers);
  }

  /** Shows this plugin in CQL and JMX, starts its timer and takes up its mode. */
  void begin() {
    ManxTables.register(this);
    JmxControl.register(this);
    ManxQueryHandler.gate(new SwitchPermission());
    timer.ensure(clock.nanoTime());
    control.scheduleWithFixedDelay(this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    if (!refused.isEmpty()) {
      return;
    }
    recorder.begin();
    try {
      mode(config.mode());
    } catch (IllegalStateException e) {
      logger.warn("Manx stays off: {}", e.getMessage());
    }
  }

  @Override
  public Mode mode() {
    return mode;
  }

  @Override
  public void mode(Mode wanted) {
    if (wanted == Mode.OFF) {
      breaker.reset();
      interrupted = Mode.OFF;
      off("");
      logger.info("Manx is off");
      return;
    }
    // Outside the lock: a file system that hangs must not keep anybody from switching off.
    if (Files.exists(config.killFile())) {
      throw new IllegalStateException(
          "the kill file " + config.killFile() + " exists; remove it first");
    }
    if (!refused.isEmpty()) {
      throw new IllegalStateException(
          "the configuration was refused at start-up, so that there is no strategy to switch on ("
              + refused
              + "); set a document first, or correct the file and restart");
    }
    switchTo(
        () -> {
          breaker.reset();
          trouble = "";
          apply(wanted, strategy);
        });
  }

  @Override
  public void document(String yaml) {
    Blueprint blueprint = Blueprint.parse(DOCUMENT, yaml, Host.node(clock));
    NodeLimits.check(DOCUMENT, blueprint);
    Strategy next = NodeLimits.build(DOCUMENT, blueprint, learned);
    switchTo(
        () -> {
          if (!refused.isEmpty()) {
            refused = "";
            trouble = "";
          }
          apply(mode, next);
        });
  }

  private void switchTo(Runnable change) {
    if (!locked()) {
      throw new IllegalStateException("another switch is under way; try again, or switch off");
    }
    try {
      change.run();
    } finally {
      switching.unlock();
    }
    logger.info("Manx is {}; strategy {}", mode.label(), strategy.names());
  }

  private boolean locked() {
    try {
      return switching.tryLock(LOCK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void calmAfter(String duration) {
    ConfigNode node =
        ConfigNode.parse("manx.strategy", "{}", Map.of(PluginConfig.CALM_AFTER, duration));
    queues.calmAfter(
        PluginConfig.calmAfterNanos(node.at(PluginConfig.CALM_AFTER)), clock.nanoTime());
  }

  @Override
  public void record(String value) {
    recorder.set(value);
  }

  /** Puts a mode and a strategy to work together; all hooks see one engine. With the lock held. */
  private void apply(Mode wanted, Strategy next) {
    strategy = next;
    if (next.sizes() != null) {
      learned = next;
    }
    if (wanted == Mode.OFF) {
      off(trouble);
      return;
    }
    guard.stalls().forget();
    timer.ensure(clock.nanoTime());
    Engine acting =
        new Engine(
            wanted,
            config,
            next,
            state,
            load,
            nodes,
            Hooks.stockSnitch(),
            self,
            clock,
            counters,
            guard,
            recorder.of(next.document(), wanted),
            queues,
            hops,
            pace,
            timed);
    queues.seen(clock.nanoTime());
    mode = wanted;
    engine = acting;
    if (installed) {
      hooks.use(acting);
    } else {
      installed = true;
      hooks.install(acting);
    }
    if (engine != acting) {
      // Switched off meanwhile, by one who could not wait.
      leavePath();
    }
  }

  /** Switches off at once; the hooks leave the path at once too, or when the lock is free. */
  private void off(String why) {
    engine = null;
    mode = Mode.OFF;
    trouble = why;
    if (switching.isHeldByCurrentThread()) {
      leavePath();
    } else if (locked()) {
      try {
        leavePath();
      } finally {
        switching.unlock();
      }
    } else {
      logger.error("Manx is off, but a policy does not return: its hooks leave the path later");
    }
  }

  private void leavePath() {
    if (installed) {
      installed = false;
      hooks.remove();
      for (int node = 0; node < nodes.used(); node++) {
        state.tickets().closeNode(node, this::cancelled);
      }
    }
  }

  private void cancelled(Ticket ticket) {
    if (Engine.isPenalty(ticket)) {
      nodes.faults().penaltyEnded(ticket.node);
    } else {
      counters.count(Outcome.CANCELLED.counter());
    }
  }

  private void breakerOpened() {
    Mode was = mode;
    // At once for all who ask from now on; the hooks leave the path on the control thread.
    engine = null;
    control.execute(
        () -> {
          if (was == Mode.OFF || !breaker.isOpen()) {
            // Switched by an operator meanwhile.
            return;
          }
          interrupted = was;
          offBecause("the breaker opened (" + breaker.describe(clock.nanoTime()) + ")");
        });
  }

  private void offBecause(String why) {
    off(why);
    logger.error("MANX IS OFF: {}. The node works as stock.", why);
  }

  /** What runs policies' code some ten times a second, on a thread of its own. */
  private void tick() {
    long now = clock.nanoTime();
    Engine acting = engine;
    guard.stalls().enter(now);
    try {
      state
          .tickets()
          .expire(
              now,
              ticket -> {
                if (acting != null) {
                  acting.ended(ticket.node, ticket, Outcome.TIMED_OUT);
                } else {
                  cancelled(ticket);
                }
              });
      // What ended has signed out.
      guard.stalls().enter(now);
      if (acting != null) {
        acting.strategy().tick(state, nodes.used(), now);
        acting.strategy().facts().applyLocal(load, state, self, now);
      }
      queues.tick(now);
      if (acting != null && ++ticks % TICKS_PER_PRICE == 0) {
        HopPrices.renew(acting, now);
      }
    } catch (VirtualMachineError e) {
      // Thrown on it would end this timer for good and reach nobody.
      JVMStabilityInspector.inspectThrowable(e);
    } catch (Throwable t) {
      guard.fault("the timer", t);
    } finally {
      guard.stalls().leave();
    }
  }

  /** Once a second, on the control thread, where no policy's code runs. */
  private void watch() {
    try {
      long now = clock.nanoTime();
      boolean killed = Files.exists(config.killFile());
      if (killed) {
        interrupted = Mode.OFF;
      }
      if (mode != Mode.OFF && killed) {
        offBecause("the kill file " + config.killFile() + " exists");
      } else if (mode != Mode.OFF && guard.stalls().look(now)) {
        guard.stuck("a policy of " + strategy.names() + " does not return from a call");
      } else if (mode != Mode.OFF && hooks.snitchDisplaced()) {
        logger.info("Manx: another snitch was set; standing in front of it");
        Mode wanted = mode;
        switchTo(
            () -> {
              off("");
              apply(wanted, strategy);
            });
      } else if (mode == Mode.OFF && interrupted != Mode.OFF && breaker.tryAgain(now)) {
        counters.count(Counter.BREAKER_HALF_OPENED);
        logger.info("Manx tries again: the breaker is half-open");
        trouble = "";
        switchTo(() -> apply(interrupted, strategy));
      }
      breaker.settle(now);
    } catch (VirtualMachineError e) {
      JVMStabilityInspector.inspectThrowable(e);
    } catch (Throwable t) {
      logger.warn("Manx: the control thread failed; it goes on", t);
    }
  }

  @Override
  public Map<String, String> status() {
    Strategy shown = strategy;
    Map<String, String> rows = new TreeMap<>();
    rows.put("version", Version.text());
    rows.put("mode", mode.label());
    rows.put("document", shown.document());
    shown.names().forEach((family, name) -> rows.put("policy." + family, name));
    rows.put("file", file);
    rows.put("kill-file", config.killFile().toString());
    rows.put("breaker", breaker.describe(clock.nanoTime()));
    rows.put("trouble", trouble);
    rows.put("record", recorder.describe());
    rows.put(PluginConfig.CALM_AFTER, Units.duration(queues.calmAfterNanos()));
    rows.put("queues", describeQueues());
    rows.putAll(Bounds.of(shown, state));
    return rows;
  }

  private String describeQueues() {
    Engine acting = engine;
    String since = "one was seen " + Units.duration(queues.sinceNanos(clock.nanoTime())) + " ago";
    if (acting == null) {
      return "";
    }
    return acting.standsAside() ? "none: requests are left to stock" : since;
  }

  @Override
  public Map<String, Long> counters() {
    return LiveCounters.of(counters, hooks.readStage());
  }

  @Override
  public Map<String, Map.Entry<String, String>> hooks() {
    Map<String, Map.Entry<String, String>> rows = new TreeMap<>();
    hooks
        .report()
        .forEach(
            (hook, entry) ->
                rows.put(
                    hook.label(),
                    Map.entry(
                        entry.getKey().name().toLowerCase(java.util.Locale.ROOT),
                        entry.getValue())));
    return rows;
  }

  @Override
  public Map<String, TableTimers.Row> tables() {
    return timers.rows();
  }

  @Override
  public Nodes nodes() {
    return nodes;
  }

  @Override
  public ClusterState state() {
    return state;
  }

  @Override
  public NanoClock clock() {
    return clock;
  }
}
