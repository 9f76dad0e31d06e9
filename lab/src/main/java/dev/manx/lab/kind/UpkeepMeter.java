/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import dev.manx.lab.kind.ProcStat.Threads;
import dev.manx.lab.kind.ProcStat.Upkeep;
import java.util.HashMap;
import java.util.Map;

/**
 * The CPU time that one JVM has spent so far on compiling and collecting. Where it has many cores
 * it ends compiler threads that are idle, and Linux then no longer counts their time: here it
 * stays. Confined to one thread at a time.
 */
public final class UpkeepMeter {
  // By thread; a JVM has few of them in its life.
  private final Map<String, Double> compilers = new HashMap<>();
  private final Map<String, Double> collectors = new HashMap<>();

  /** Reads it; NaN where there is no such process. */
  public Upkeep read(long pid) {
    return ProcStat.threads(pid).map(this::add).orElseGet(() -> new Upkeep(Double.NaN, Double.NaN));
  }

  Upkeep add(Threads now) {
    now.compilerSeconds().forEach((thread, seconds) -> compilers.merge(thread, seconds, Math::max));
    now.collectorSeconds()
        .forEach((thread, seconds) -> collectors.merge(thread, seconds, Math::max));
    return new Upkeep(sum(compilers), sum(collectors));
  }

  private static double sum(Map<String, Double> threads) {
    return threads.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
