/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

/** Keeps what one thread does apart, so that in no second there is more than a rate and one. */
public final class Pace {
  private final Pacer pacer;
  private final long apartNanos;
  private long nextNanos;

  /** The first needs not wait. */
  public Pace(Pacer pacer, double perSecond) {
    this.pacer = pacer;
    apartNanos = (long) Math.ceil(1e9 / perSecond);
    nextNanos = pacer.nanoTime();
  }

  /** Returns when the next may begin, or early when the thread is interrupted. */
  public void await() {
    pacer.await(nextNanos);
    // Not from when it was due: after a pause there is no burst.
    nextNanos = pacer.nanoTime() + apartNanos;
  }
}
