/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

/**
 * Consumes processor time: an arithmetic loop, calibrated once. A loop until a clock time would do
 * less work whenever its thread is off the core, which is the effect studied here.
 */
final class Work {
  private static final int BATCH = 20_000;
  private static final int BATCHES = 60;

  private final double roundsPerNano;
  private long sink = 0x6d616e78L;

  private Work(double roundsPerNano) {
    this.roundsPerNano = roundsPerNano;
  }

  /**
   * Calibrates on this machine: the best of many short batches, because other processes use it too.
   */
  static Work measured() {
    Work work = new Work(1);
    double best = Double.MAX_VALUE;
    for (int batch = 0; batch < BATCHES; batch++) {
      long start = System.nanoTime();
      work.rounds(BATCH);
      best = Math.min(best, System.nanoTime() - start);
    }
    return new Work(BATCH / best);
  }

  /** A copy for another thread. */
  Work copy() {
    return new Work(roundsPerNano);
  }

  /** Consumes about this much processor time. */
  void burn(long nanos) {
    rounds((long) (nanos * roundsPerNano));
  }

  private void rounds(long rounds) {
    long x = sink;
    for (long i = 0; i < rounds; i++) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
    }
    sink = x;
  }
}
