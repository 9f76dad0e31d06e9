/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The result of one repetition.
 *
 * @param count operations intended to start in the window
 * @param answered operations that succeeded in the window
 * @param unfinished operations not begun at its end, or given up then because others conflicted
 *     again and again; the histogram contains their waiting times
 * @param failed operations that the engine rejected
 * @param retries transactions repeated after a conflict
 * @param windowSeconds length of the window
 * @param sessionCpuSeconds CPU time of the sessions in it
 * @param boostedFrom when priorities were raised, seconds since its start; NaN if they were not
 * @param boostedTo when they were restored
 * @param waits the engine's counters, if it was built with them
 * @param error the engine's message for the last failure, or empty
 * @param engine its name and version
 * @param nanos latency from the intended start
 * @param seconds results of each second
 * @param noise other activity on the machine
 */
public record RepetitionResult(
    long count,
    long answered,
    long unfinished,
    long failed,
    long retries,
    double windowSeconds,
    double sessionCpuSeconds,
    double boostedFrom,
    double boostedTo,
    Optional<Waits> waits,
    String error,
    String engine,
    Histogram nanos,
    List<Second> seconds,
    Noise noise) {

  /** Copies the list. */
  public RepetitionResult {
    seconds = List.copyOf(seconds);
  }

  /**
   * Waiting for transaction ids.
   *
   * @param waits times that a thread had to wait
   * @param checks checks without success
   * @param seconds total waiting time
   * @param stalls waits of a millisecond or longer
   */
  public record Waits(long waits, long checks, double seconds, long stalls) {}

  /**
   * One second of the window.
   *
   * @param t seconds since its start
   * @param count operations intended to start in it, whose latencies are given
   * @param answered operations that ended in it
   * @param meanUs mean latency
   * @param p50Us median
   * @param p99Us 99th percentile
   * @param p999Us 99.9th percentile
   * @param maxUs maximum
   */
  public record Second(
      int t,
      long count,
      long answered,
      double meanUs,
      double p50Us,
      double p99Us,
      double p999Us,
      double maxUs) {}

  /**
   * CPU time that was not the driver's, as shares of one core.
   *
   * @param foreign used by other processes; with confined sessions only on their cores, where it
   *     includes the driver's other threads
   * @param steal taken by other guests of the host
   * @param throttled time in which a CPU quota kept the driver off its cores, summed over cores;
   *     NaN without a quota
   */
  public record Noise(double foreign, double steal, double throttled) {
    /** CPU time that was taken from the driver, by guests of the host and by a quota. */
    public double taken() {
      return Double.isNaN(throttled) ? steal : steal + throttled;
    }
  }

  /** Successful operations per second of the window. */
  public double throughputPerSecond() {
    return answered / windowSeconds;
  }

  /** Operations that ended in one second of the window, per second: the last one may be shorter. */
  public double throughputPerSecond(Second second) {
    return second.answered() / Math.min(1, windowSeconds - second.t());
  }

  /** CPU time of the sessions per successful operation, microseconds. */
  public double cpuMicrosPerOperation() {
    return sessionCpuSeconds / answered * 1e6;
  }
}
