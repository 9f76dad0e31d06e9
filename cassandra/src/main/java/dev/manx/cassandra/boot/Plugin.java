/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Breaker;
import dev.manx.cassandra.control.Counters;
import dev.manx.cassandra.control.Guard;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.control.QueueWatch;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.cassandra.record.Recorder;
import dev.manx.cassandra.show.JmxControl;
import dev.manx.cassandra.show.ManxTables;
import dev.manx.cassandra.wire.FactsPace;
import dev.manx.policy.NanoClock;
import dev.manx.policy.config.Units;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.HopMeter;
import dev.manx.policy.facts.LocalLoad;
import dev.manx.policy.facts.Ticket;
import dev.manx.policy.strategy.Strategy;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manx on this node: owns the engine of the moment, and is where every switch (YAML at boot, CQL,
 * JMX, kill file, breaker) ends. Switches are serialized; any thread.
 */
public final class Plugin implements Control {
  private static final Logger logger = LoggerFactory.getLogger(Plugin.class);
  private static final long TICK_MILLIS = 100;
  private static final int TICKS_PER_WATCH = 10;

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
  private final Hooks hooks;
  private final ScheduledExecutorService control;
  private final String file;
  private final int self;
  private volatile Engine engine;
  private Strategy strategy;
  // The last one with an oracle, so that a switch to a strategy without one and back forgets
  // nothing.
  private Strategy learned;
  private Mode mode = Mode.OFF;
  private String trouble = "";
  private int ticks;

  Plugin(
      PluginConfig config, RecordConfig recording, String file, Strategy strategy, String trouble) {
    this.config = config;
    this.file = file;
    this.strategy = strategy;
    this.trouble = trouble;
    breaker = new Breaker(config.breakerFailures(), config.breakerWindowNanos());
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
    hooks = new Hooks(() -> engine, new Peers(() -> engine));
  }

  /** Shows this plugin in CQL and JMX, starts its timer and takes up its mode. */
  void begin() {
    ManxTables.register(this);
    JmxControl.register(this);
    control.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    if (!trouble.isEmpty()) {
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
  public synchronized Mode mode() {
    return mode;
  }

  @Override
  public void mode(Mode wanted) {
    // Outside the lock: a file system that hangs must not keep anybody from switching off.
    if (wanted != Mode.OFF && Files.exists(config.killFile())) {
      throw new IllegalStateException(
          "the kill file " + config.killFile() + " exists; remove it first");
    }
    switchTo(wanted);
  }

  private synchronized void switchTo(Mode wanted) {
    breaker.reset();
    apply(wanted, strategy);
    trouble = "";
    logger.info("Manx is {}; strategy {}", mode.label(), strategy.names());
  }

  @Override
  public synchronized void document(String yaml) {
    Strategy next = Strategy.parse("manx.strategy", yaml, clock);
    NodeLimits.check("manx.strategy", next);
    apply(mode, learned == null ? next : next.withLearningOf(learned));
    logger.info("Manx is {}; strategy {}", mode.label(), strategy.names());
  }

  @Override
  public void record(String value) {
    recorder.set(value);
  }

  /** Puts a mode and a strategy to work together; all hooks see one engine. */
  private void apply(Mode wanted, Strategy next) {
    strategy = next;
    if (next.sizes() != null) {
      learned = next;
    }
    if (wanted == Mode.OFF) {
      off();
      return;
    }
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
            pace);
    queues.seen(clock.nanoTime());
    engine = acting;
    boolean installed = mode != Mode.OFF;
    mode = wanted;
    if (installed) {
      hooks.use(acting);
    } else {
      hooks.install(acting);
    }
  }

  private void off() {
    engine = null;
    if (mode != Mode.OFF) {
      mode = Mode.OFF;
      hooks.remove();
      for (int node = 0; node < nodes.used(); node++) {
        state.tickets().closeNode(node, this::cancelled);
      }
    }
  }

  private void cancelled(Ticket ticket) {
    if (!Engine.isPenalty(ticket)) {
      counters.count(Outcome.CANCELLED.counter());
    }
  }

  private void breakerOpened() {
    // At once for all who ask from now on; the hooks leave the path on the control thread.
    engine = null;
    control.execute(() -> offBecause("the breaker opened (" + breaker.describe() + ")"));
  }

  private synchronized void offBecause(String why) {
    off();
    trouble = why;
    logger.error("MANX IS OFF: {}. The node works as stock.", why);
  }

  private void tick() {
    try {
      long now = clock.nanoTime();
      Engine acting = engine;
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
      if (acting != null) {
        acting.strategy().tick(state, nodes.used(), now);
        acting.strategy().facts().applyLocal(load, state, self, now);
      }
      queues.tick(now);
      if (++ticks % TICKS_PER_WATCH == 0) {
        if (acting != null) {
          HopPrices.renew(acting, now);
        }
        watch(Files.exists(config.killFile()));
      }
    } catch (VirtualMachineError e) {
      // Thrown on it would end this timer for good and reach nobody.
      JVMStabilityInspector.inspectThrowable(e);
    } catch (Throwable t) {
      guard.fault("the control thread", t);
    }
  }

  private synchronized void watch(boolean killed) {
    if (mode != Mode.OFF && killed) {
      offBecause("the kill file " + config.killFile() + " exists");
    } else if (mode != Mode.OFF && hooks.snitchDisplaced()) {
      logger.info("Manx: another snitch was set; standing in front of it");
      Mode wanted = mode;
      off();
      apply(wanted, strategy);
    }
  }

  @Override
  public synchronized Map<String, String> status() {
    Map<String, String> rows = new TreeMap<>();
    rows.put("mode", mode.label());
    rows.put("document", strategy.document());
    strategy.names().forEach((family, name) -> rows.put("policy." + family, name));
    rows.put("file", file);
    rows.put("kill-file", config.killFile().toString());
    rows.put("breaker", breaker.describe());
    rows.put("trouble", trouble);
    rows.put("record", recorder.describe());
    rows.put("queues", describeQueues());
    rows.putAll(Bounds.of(strategy, state));
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
