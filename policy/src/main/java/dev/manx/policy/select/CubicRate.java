/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

/**
 * The rate at which one coordinator may send to one node, and the token bucket that enforces it.
 * The rate is cut when answers arrive more slowly than reads are sent, and grows back along a cubic
 * curve. Sequential; rates are reads per window.
 */
final class CubicRate {
  /**
   * The settings that all rates of a strategy share.
   *
   * @param windowNanos time over which reads are counted
   * @param cut factor of a decrease, in (0, 1)
   * @param growth steepness of the curve, in reads per window and cubic millisecond
   * @param step largest increase at once
   * @param hysteresis windows after an increase in which no decrease follows
   * @param firstRate the initial rate
   * @param burst most tokens
   * @param floor lowest rate
   */
  record Law(
      long windowNanos,
      double cut,
      double growth,
      double step,
      double hysteresis,
      double firstRate,
      double burst,
      double floor) {}

  private static final double SMOOTHING = 0.9;
  private static final double MILLI = 1e6;

  private final Law law;
  private double sendRate;
  private double answerRate;
  private double rateBeforeCut;
  private long increasedNanos;
  private long decreasedNanos;
  private long windowStartNanos;
  private long answers;
  private double tokens;
  private long filledNanos;
  private long opensAtNanos;

  CubicRate(Law law, long nowNanos) {
    this.law = law;
    sendRate = law.firstRate;
    answerRate = 2 * law.firstRate;
    rateBeforeCut = law.firstRate;
    increasedNanos = nowNanos;
    decreasedNanos = nowNanos;
    windowStartNanos = nowNanos;
    tokens = law.burst;
    filledNanos = nowNanos;
    reckon();
  }

  /** Records an answer. */
  void answered(long nowNanos) {
    answers++;
    long windows = (nowNanos - windowStartNanos) / law.windowNanos;
    if (windows > 0) {
      answerRate = SMOOTHING * answers / windows + (1 - SMOOTHING) * answerRate;
      answers = 0;
      windowStartNanos += windows * law.windowNanos;
    }
    adapt(answerRate, nowNanos);
  }

  /** Cuts or raises the send rate in comparison with an answer rate. */
  void adapt(double received, long nowNanos) {
    if (sendRate > received && nowNanos - increasedNanos > law.hysteresis * law.windowNanos) {
      fill(nowNanos);
      rateBeforeCut = sendRate;
      sendRate = Math.max(law.floor, law.cut * sendRate);
      decreasedNanos = nowNanos;
      reckon();
    } else if (sendRate < received) {
      fill(nowNanos);
      increasedNanos = nowNanos;
      double target = curve(law, rateBeforeCut, (nowNanos - decreasedNanos) / MILLI);
      sendRate = Math.max(law.floor, Math.min(target, sendRate + law.step));
      reckon();
    }
  }

  /** The growth curve after a cut from a rate. */
  static double curve(Law law, double rateBeforeCut, double milliseconds) {
    double sinceFlat = milliseconds - Math.cbrt(rateBeforeCut * law.cut / law.growth);
    return law.growth * sinceFlat * sinceFlat * sinceFlat + rateBeforeCut;
  }

  /**
   * When the next read may be sent, or the past time from which it might have been sent; only
   * sending a read or a change of the rate changes it.
   */
  long opensAtNanos() {
    return opensAtNanos;
  }

  void sent(long nowNanos) {
    fill(nowNanos);
    tokens = Math.max(0, tokens - 1);
    reckon();
  }

  /** When the bucket was, or would have been, empty at the present rate. */
  long emptyNanos() {
    return filledNanos - (long) Math.min(1e18, tokens * law.windowNanos / sendRate);
  }

  double sendRate() {
    return sendRate;
  }

  void sendRate(double rate) {
    sendRate = rate;
  }

  private void reckon() {
    // A little less than a token is enough, so that rounding causes no needless wait.
    if (tokens >= 1 - 1e-9) {
      opensAtNanos = filledNanos;
      return;
    }
    double wait = (1 - tokens) * law.windowNanos / sendRate;
    opensAtNanos = wait < 1e18 ? filledNanos + (long) Math.ceil(wait) : Long.MAX_VALUE;
  }

  private void fill(long nowNanos) {
    double earned = sendRate * (nowNanos - filledNanos) / law.windowNanos;
    tokens = Math.min(law.burst, tokens + earned);
    filledNanos = nowNanos;
  }
}
