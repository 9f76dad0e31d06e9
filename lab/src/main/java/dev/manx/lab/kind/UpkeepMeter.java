/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import dev.manx.contention.proc.JvmThreads;
import java.util.HashMap;
import java.util.Map;

/**
 * The CPU time of one JVM for compiling and collecting so far. With many cores a JVM ends idle
 * compiler threads, whose time Linux then no longer counts, but this meter does. Confined to one
 * thread at a time.
 */
public final class UpkeepMeter {
  /**
   * CPU time of a JVM's service threads.
   *
   * @param compilerSeconds of the just-in-time compilers
   * @param collectorSeconds of the garbage collector and of the VM thread, which runs its pauses
   */
  public record Upkeep(double compilerSeconds, double collectorSeconds) {}

  // By thread; a JVM has few of them during its lifetime.
  private final Map<String, Double> compilers = new HashMap<>();
  private final Map<String, Double> collectors = new HashMap<>();

  /** Reads the CPU times; NaN if the process does not exist. */
  public Upkeep read(long pid) {
    return JvmThreads.of(pid).map(this::add).orElseGet(() -> new Upkeep(Double.NaN, Double.NaN));
  }

  Upkeep add(JvmThreads now) {
    now.compilerSeconds().forEach((thread, seconds) -> compilers.merge(thread, seconds, Math::max));
    now.collectorSeconds()
        .forEach((thread, seconds) -> collectors.merge(thread, seconds, Math::max));
    return new Upkeep(sum(compilers), sum(collectors));
  }

  private static double sum(Map<String, Double> threads) {
    return threads.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
