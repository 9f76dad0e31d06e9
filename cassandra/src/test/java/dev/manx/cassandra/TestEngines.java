/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import dev.manx.cassandra.boot.TestConfigs;
import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.cassandra.control.Breaker;
import dev.manx.cassandra.control.Counters;
import dev.manx.cassandra.control.Guard;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.control.QueueWatch;
import dev.manx.cassandra.copy.Copier;
import dev.manx.cassandra.hold.Holds;
import dev.manx.cassandra.latency.TimedReads;
import dev.manx.cassandra.message.NodeMessages;
import dev.manx.cassandra.metrics.RequestMeasures;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.record.LogHost;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.cassandra.record.RecordingSwitch;
import dev.manx.cassandra.tied.Ties;
import dev.manx.cassandra.wire.FactsPace;
import dev.manx.cassandra.wire.Signs;
import dev.manx.policy.NanoClock;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.HopMeter;
import dev.manx.policy.facts.LocalLoad;
import dev.manx.policy.select.HomeFirst;
import dev.manx.policy.strategy.Strategy;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Engines without a node. */
public final class TestEngines {
  private static final int NODES = 16;
  private static final int OUTSTANDING = 256;

  private TestEngines() {}

  /** Creates an engine that acts by a strategy and fails on every fault. */
  public static Engine of(String strategy, NanoClock clock) {
    return of(strategy, clock, Mode.ON, engine -> engine);
  }

  /**
   * Creates such an engine in a mode.
   *
   * @param moment maps this engine to the present one, as its copier sees it
   */
  public static Engine of(
      String strategy, NanoClock clock, Mode mode, UnaryOperator<Engine> moment) {
    QueueWatch queues = new QueueWatch(0, clock.nanoTime());
    return of(strategy, clock, queues, mode, moment, recorder(RecordConfig.NONE));
  }

  /** Creates such an engine in a mode that records its decisions, once its recorder begins. */
  public static Engine recording(
      String strategy, NanoClock clock, Mode mode, RecordingSwitch recorder) {
    return of(
        strategy, clock, new QueueWatch(0, clock.nanoTime()), mode, engine -> engine, recorder);
  }

  /** Creates such an engine that is calm. */
  public static Engine calm(String strategy, NanoClock clock) {
    return calm(strategy, clock, recorder(RecordConfig.NONE));
  }

  /** Creates such an engine that is calm and records its decisions, once its recorder begins. */
  public static Engine calm(String strategy, NanoClock clock, RecordingSwitch recorder) {
    long now = clock.nanoTime();
    QueueWatch queues = new QueueWatch(1, now);
    queues.tick(0, 0, false, 2, now + 2);
    return of(strategy, clock, queues, Mode.ON, engine -> engine, recorder);
  }

  /** Creates the decision log of a test's node. */
  public static RecordingSwitch recorder(RecordConfig config) {
    return new RecordingSwitch(
        config, new Counters(), new LogHost("test", NODES, Map::of, () -> 1, () -> 0));
  }

  private static Engine of(
      String strategy,
      NanoClock clock,
      QueueWatch queues,
      Mode mode,
      UnaryOperator<Engine> moment,
      RecordingSwitch recorder) {
    Engine[] self = new Engine[1];
    Signs signs = new Signs(NODES);
    Counters counters = new Counters();
    Guard guard =
        new Guard(
            counters,
            new Breaker(1, 1, 0),
            clock,
            () -> {
              throw new IllegalStateException("a fault opened the breaker");
            });
    Holds holds = new Holds(() -> moment.apply(self[0]), clock);
    Strategy wired = Strategy.parse("test", strategy, clock);
    Nodes nodes = new Nodes(NODES);
    ClusterState state = new ClusterState(NODES, OUTSTANDING, nodes::identity);
    self[0] =
        new Engine(
            mode,
            TestConfigs.defaults(),
            wired,
            state,
            new LocalLoad(),
            nodes,
            null,
            0,
            clock,
            counters,
            guard,
            recorder.of("test", Mode.ON),
            queues,
            new HopMeter(NODES),
            new HomeFirst(NODES),
            signs,
            new FactsPace(NODES, signs),
            new TimedReads(OUTSTANDING),
            new Copier(() -> moment.apply(self[0]), clock),
            new Ties(() -> moment.apply(self[0]), clock),
            holds,
            mode == Mode.ON ? holds.gate(wired.newGate(), state, guard) : null,
            new NodeMessages(() -> moment.apply(self[0])),
            RequestMeasures.of(CanaryConfig.ALL, 4));
    return self[0];
  }

  /**
   * Creates such an engine without one of its parts, so that every use of that part fails; no fault
   * opens its breaker.
   *
   * @param part the name of a component of {@link Engine}
   */
  public static Engine failing(Engine engine, String part) {
    Guard lenient =
        new Guard(engine.counters(), new Breaker(1_000, 1, 0), engine.clock(), () -> {});
    return with(with(engine, "guard", lenient), part, null);
  }

  /** Creates such an engine with settings of section {@code plugin}. */
  public static Engine configured(Engine engine, String plugin) {
    return with(engine, "config", TestConfigs.of(plugin));
  }

  /**
   * Creates an engine with another part.
   *
   * @param part the name of a component of {@link Engine}
   */
  public static Engine with(Engine engine, String part, Object value) {
    try {
      RecordComponent[] parts = Engine.class.getRecordComponents();
      Object[] values = new Object[parts.length];
      for (int i = 0; i < parts.length; i++) {
        String name = parts[i].getName();
        values[i] = name.equals(part) ? value : parts[i].getAccessor().invoke(engine);
      }
      return (Engine) Engine.class.getDeclaredConstructors()[0].newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
