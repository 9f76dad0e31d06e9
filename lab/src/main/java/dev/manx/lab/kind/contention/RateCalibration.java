/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import dev.manx.contention.engine.DriverRun;
import dev.manx.contention.engine.EngineException;
import dev.manx.contention.engine.Repetition;
import dev.manx.contention.engine.Repetition.Engine;
import dev.manx.contention.engine.RepetitionResult;

/**
 * Finds the rate at which the sessions, unrestricted, use a share of one core. An operation costs
 * less at a higher rate, because fewer of them have to wake a thread, so the estimate is refined at
 * the estimated rate.
 */
final class RateCalibration {
  private static final double FIRST_GUESS_PER_SECOND = 5_000;
  private static final int STEPS = 3;
  private static final long WINDOW_MILLIS = 1_000;

  private RateCalibration() {}

  /** Operations per second. */
  static double rate(Engine engine, ContentionSettings settings, double share)
      throws InterruptedException {
    double rate = FIRST_GUESS_PER_SECOND;
    for (int step = 0; step < STEPS; step++) {
      RepetitionResult result =
          DriverRun.run(
              engine,
              new Repetition(
                  settings.threads(),
                  rate,
                  200,
                  WINDOW_MILLIS,
                  0,
                  0,
                  settings.nice(),
                  -1,
                  -1,
                  0,
                  settings.data(),
                  step));
      if (result.answered() == 0) {
        throw new EngineException("no operation ended in a second: no rate can be found");
      }
      rate = share / (result.cpuMicrosPerOperation() / 1e6);
    }
    return rounded(rate);
  }

  /** Rounds a rate by a few per cent at most, so that it can be written down and repeated. */
  static double rounded(double rate) {
    int step = rate >= 1_000 ? 100 : rate >= 100 ? 10 : 1;
    return Math.max(1, Math.round(rate / step) * step);
  }
}
