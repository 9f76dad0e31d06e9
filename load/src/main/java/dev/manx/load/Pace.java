/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

/** Spaces a thread's actions, so that in no second there are more than the rate plus one. */
public final class Pace {
  private final Pacer pacer;
  private final long apartNanos;
  private long nextNanos;

  /** The first action does not wait. */
  public Pace(Pacer pacer, double perSecond) {
    this.pacer = pacer;
    apartNanos = (long) Math.ceil(1e9 / perSecond);
    nextNanos = pacer.nanoTime();
  }

  /** Returns when the next action may begin, or early if the thread is interrupted. */
  public void await() {
    pacer.await(nextNanos);
    // Not from its due time: a pause causes no burst.
    nextNanos = pacer.nanoTime() + apartNanos;
  }
}
