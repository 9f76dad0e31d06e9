/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The result of one repetition.
 *
 * @param count operations that were to start in the window
 * @param answered operations that ended well in the window
 * @param unfinished not begun when it ended; the histogram holds how long they had waited
 * @param failed operations that the engine refused
 * @param retries transactions that conflicted and were tried again
 * @param windowSeconds length of the window
 * @param sessionCpuSeconds CPU time of the sessions in it
 * @param boostedFrom when priorities were raised, seconds since its start; NaN if they were not
 * @param boostedTo when they were restored
 * @param waits what the engine counted, if it was built to count
 * @param error the engine's words for the last failure, or empty
 * @param engine its name and version
 * @param nanos latency from the intended start
 * @param seconds what happened in each second
 * @param noise what else the machine did meanwhile
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
   * @param waits times that a thread had to wait at all
   * @param checks looks in vain
   * @param seconds total
   * @param stalls waits of a millisecond or longer
   */
  public record Waits(long waits, long checks, double seconds, long stalls) {}

  /**
   * One second of the window.
   *
   * @param t seconds since its start
   * @param count operations that were to start in it; the latencies are theirs
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
   * @param foreign used by other processes
   * @param steal taken by other guests of the host
   */
  public record Noise(double foreign, double steal) {}

  /** Operations answered well per second of the window. */
  public double throughputPerSecond() {
    return answered / windowSeconds;
  }

  /** CPU time of the sessions per operation answered, microseconds. */
  public double cpuMicrosPerOperation() {
    return sessionCpuSeconds / answered * 1e6;
  }
}
