/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.ManxQueryHandler;
import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.latency.TableTimers;
import dev.manx.cassandra.metrics.NodeMetrics;
import dev.manx.cassandra.metrics.Registered;
import dev.manx.cassandra.metrics.RequestLatency;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.record.LogPart;
import dev.manx.cassandra.show.JmxControl;
import dev.manx.cassandra.show.ManxTables;
import dev.manx.cassandra.wire.Signs;
import dev.manx.policy.NanoClock;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.select.HomeFirst;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Host;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Manx on this node, as offered by CQL and JMX. Any thread. */
public final class Plugin implements Control {
  private static final Logger logger = LoggerFactory.getLogger(Plugin.class);
  private static final String DOCUMENT = "manx.strategy";

  private final Parts parts;
  private final Switches switches;
  private final Builds builds;
  private final AutoSwitch watch;
  private final Status status;
  private final Reload reload;
  private final Persisting persisting;
  private final Registered registered;
  private final NodeMetrics metrics;
  // Also counts a switch to the present value, so that a client can tell that another client has
  // switched, and the switch at the start, so that a client can tell that Manx has begun.
  private final AtomicLong switched = new AtomicLong();
  // The last warning; used by the control thread.
  private String waitsTooLong = "";

  Plugin(Start start) {
    parts = new Parts(start.plugin(), start.record(), this::breakerOpened);
    ThreadPlan.keepReads(NodeLimits.keptReads(parts.config()));
    switches = new Switches(parts, start.strategy(), start.refused());
    builds = new Builds(switches);
    KillFile killFile = new KillFile(() -> parts.config().killFile());
    reload = new Reload(parts, switches, builds, killFile, this::retried, start);
    registered =
        new Registered(
            Registered.ofCassandra(), () -> parts.counters.count(Counter.METRICS_FAILED));
    metrics =
        new NodeMetrics(
            registered, parts.measures, parts.nodes, parts.state, parts.clock::nanoTime);
    watch = new AutoSwitch(parts, switches, killFile, this::eachSecond);
    status =
        new Status(parts, switches, killFile, start.file(), registered::describe, reload::describe);
    persisting = new Persisting(reload, this::switchable);
  }

  private void eachSecond(long nowNanos) {
    String late = switches.mode() == Mode.OFF ? "" : NodeLimits.waitsTooLong(switches.strategy());
    if (!late.isEmpty() && !late.equals(waitsTooLong)) {
      logger.warn("Manx: {}", late);
    }
    waitsTooLong = late;
    metrics.refresh(nowNanos);
  }

  /** The rows of {@code manx.strategy}, with values that can be set again. */
  private Map<String, String> switchable() {
    Map<String, String> rows = status.rows();
    rows.put(PersistedRows.RECORD, parts.recorder.config().text());
    return rows;
  }

  private Mode retried() {
    return watch.retried();
  }

  private void breakerOpened() {
    watch.breakerOpened();
  }

  /** Publishes this plugin in CQL and JMX, starts its threads and applies its mode. */
  void begin() {
    // First, so that no table can be written without it.
    ManxQueryHandler.gate(ManxTables.gate());
    try {
      ManxTables.register(this);
    } catch (IllegalStateException e) {
      ManxQueryHandler.gate(null);
      throw e;
    }
    JmxControl.register(this);
    metrics.begin(
        Gauges.of(parts, switches), Gauges.hooks(switches), Gauges.counters(parts, switches));
    try {
      takeUp();
    } catch (RuntimeException | Error e) {
      switches.off("it could not start: " + e);
      registered.close();
      throw e;
    }
  }

  private void takeUp() {
    switches.ensure();
    watch.begin();
    if (!switches.refused().isEmpty()) {
      return;
    }
    parts.recorder.begin();
    takeUpMode();
  }

  /**
   * Applies the configured mode; if that is not allowed, the row {@code trouble} has the reason.
   * This is not a switch by an operator, so mode off does not delete a persisted mode.
   */
  void takeUpMode() {
    try {
      Mode configured = parts.config().mode();
      if (configured == Mode.OFF) {
        logger.info("Manx is off");
      } else {
        switchOn(configured);
      }
      switched.incrementAndGet();
    } catch (IllegalStateException e) {
      // As on a node that the file has switched off.
      switches.off(e.getMessage().replace("; remove it first", ""));
      logger.warn("Manx stays off: {}", e.getMessage());
    }
  }

  @Override
  public Mode mode() {
    return switches.mode();
  }

  @Override
  public void mode(Mode wanted) {
    if (wanted == Mode.OFF) {
      parts.breaker.reset();
      watch.forget();
      switches.off("");
      logger.info("Manx is off");
      switched.incrementAndGet();
      persisting.endMode();
      return;
    }
    switchOn(wanted);
    switched.incrementAndGet();
  }

  private void switchOn(Mode wanted) {
    reload.mustKnowKillFile();
    // Outside the lock: a file system that hangs must not block a switch to off.
    if (watch.killFile().exists()) {
      throw new IllegalStateException(watch.killFile().words() + "; remove it first");
    }
    Mode before = switches.mode();
    switches.mode(wanted);
    if (wanted != before) {
      parts.measures.modeChanged();
    }
  }

  @Override
  public void reload(String value) {
    reload
        .run(value)
        .ifPresent(
            configured -> {
              switched.incrementAndGet();
              watch.limit(configured);
            });
  }

  @Override
  public void persist(String value) {
    persisting.persist(value);
  }

  @Override
  public void document(String yaml) {
    builds.alone(
        () -> {
          Blueprint blueprint = Blueprint.parse(DOCUMENT, yaml, Host.node(parts.clock));
          NodeLimits.check(DOCUMENT, blueprint);
          switches.strategy(builds.build(DOCUMENT, blueprint));
        });
    switched.incrementAndGet();
  }

  @Override
  public void calmAfter(String duration) {
    ConfigNode node =
        ConfigNode.parse("manx.strategy", "{}", Map.of(PluginConfig.CALM_AFTER, duration));
    parts.queues.calmAfter(
        PluginConfig.calmAfterNanos(node.at(PluginConfig.CALM_AFTER)), parts.clock.nanoTime());
  }

  @Override
  public void canary(String value) {
    parts.measures.canary(CanaryConfig.parse(DOCUMENT, value));
    switched.incrementAndGet();
  }

  @Override
  public List<RequestLatency.Row> latency() {
    return parts.measures.requests().rows();
  }

  @Override
  public void record(String value) {
    parts.recorder.set(value);
  }

  @Override
  public Optional<LogPart> recorded(int part) {
    return parts.recorder.part(part);
  }

  @Override
  public Map<String, String> status() {
    Map<String, String> rows = status.rows();
    rows.put("switches", Long.toString(switched.get()));
    Mode interrupted = watch.interrupted();
    rows.put("interrupted", interrupted == Mode.OFF ? "" : interrupted.label());
    return rows;
  }

  @Override
  public Map<String, Long> counters() {
    return status.counters();
  }

  @Override
  public Map<String, Map.Entry<String, String>> hooks() {
    return status.hooks();
  }

  @Override
  public Map<String, TableTimers.Row> tables() {
    return switches.presence().timers().rows();
  }

  @Override
  public Nodes nodes() {
    return parts.nodes;
  }

  @Override
  public Signs signs() {
    return parts.signs;
  }

  @Override
  public HomeFirst home() {
    return parts.home;
  }

  @Override
  public ClusterState state() {
    return parts.state;
  }

  @Override
  public NanoClock clock() {
    return parts.clock;
  }
}
