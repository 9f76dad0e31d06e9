/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Version;
import dev.manx.cassandra.coordinate.InFlight;
import dev.manx.cassandra.read.ReadStage;
import dev.manx.policy.facts.FactColumn;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.zip.CRC32;

/**
 * The state of the node as numbers, by their names in Cassandra's registry. Any thread may read
 * them.
 */
final class Gauges {
  private static final double MICRO = 1e3;

  private Gauges() {}

  static Map<String, Supplier<Number>> of(Parts parts, Switches switches) {
    Map<String, Supplier<Number>> gauges = new LinkedHashMap<>();
    gauges.put("Version", Version::number);
    gauges.put("Mode", () -> switches.mode().ordinal());
    gauges.put("StrategyId", () -> checksum(switches.strategy().document()));
    gauges.put("Breaker", parts.breaker::level);
    gauges.put("Trouble", () -> switches.trouble().isEmpty() ? 0 : 1);
    gauges.put("CanaryShare", () -> parts.measures.canary().config().share());
    gauges.put("CanaryId", () -> checksum(parts.measures.canary().config().text()));
    gauges.put("Calm", () -> isCalm(switches.engine()) ? 1 : 0);
    gauges.put("QueuedReads", () -> queued(switches.presence().hooks().readStage()));
    gauges.put("OutstandingReads", () -> parts.state.tickets().size());
    gauges.put("OutstandingReadsBound", () -> parts.state.tickets().capacity());
    gauges.put("OracleFill", () -> switches.strategy().sizeFillRatio());
    load(gauges, parts);
    inFlight(gauges, parts, switches.presence().inFlight());
    return gauges;
  }

  /** This node's own load, as reported in its facts. */
  private static void load(Map<String, Supplier<Number>> gauges, Parts parts) {
    gauges.put("ServiceTime", () -> parts.load.serviceNanos() / MICRO);
    gauges.put("ServiceTimeSmall", () -> parts.load.serviceSmallNanos() / MICRO);
    gauges.put("ServiceTimeLarge", () -> parts.load.serviceLargeNanos() / MICRO);
    gauges.put("WorkAhead", () -> parts.load.workAheadNanos() / MICRO);
    gauges.put("Slowness", () -> parts.load.value(FactColumn.SLOWNESS) / 1e3);
  }

  private static void inFlight(
      Map<String, Supplier<Number>> gauges, Parts parts, InFlight inFlight) {
    gauges.put("KeysInFlight", inFlight::keys);
    gauges.put("KeysInFlightBound", inFlight::mostKeys);
    gauges.put("BytesInFlight", inFlight::bytes);
    gauges.put("BytesInFlightBound", inFlight::mostBytes);
  }

  /** State of each hook: 0 stock, 1 installed, 2 failed. */
  static Map<String, Supplier<Number>> hooks(Switches switches) {
    Map<String, Supplier<Number>> gauges = new LinkedHashMap<>();
    for (Hook hook : Hook.values()) {
      gauges.put(
          hook.label(),
          () -> switches.presence().hooks().states().report().get(hook).getKey().ordinal());
    }
    return gauges;
  }

  static Map<String, LongSupplier> counters(Parts parts, Switches switches) {
    Map<String, LongSupplier> counters = new LinkedHashMap<>();
    for (Counter counter : Counter.values()) {
      counters.put(
          counter.metricName(),
          () -> LiveCounters.get(parts.counters, switches.presence().hooks().readStage(), counter));
    }
    return counters;
  }

  /** A hash of a text, to show whether nodes differ. */
  private static long checksum(String text) {
    CRC32 sum = new CRC32();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return sum.getValue();
  }

  private static boolean isCalm(Engine engine) {
    return engine != null && engine.standsAside();
  }

  private static int queued(ReadStage stage) {
    return stage == null ? 0 : stage.queued();
  }
}
