/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.log;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs warnings of one kind through SLF4J, at most one a minute; the next one reports the number of
 * suppressed warnings. Thread-safe.
 */
public final class SparseLog {
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Logger logger;
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());
  private final AtomicLong leftOut = new AtomicLong();

  /**
   * @param owner class that the logger is named after
   */
  public SparseLog(Class<?> owner) {
    logger = LoggerFactory.getLogger(owner);
  }

  /**
   * Logs a warning, or counts it as suppressed.
   *
   * @param cause may be null
   */
  public void warn(String message, Throwable cause) {
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next < 0 || !nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
      leftOut.incrementAndGet();
      return;
    }
    long before = leftOut.getAndSet(0);
    try {
      logger.warn(before == 0 ? message : message + " (and " + before + " more before)", cause);
    } catch (Throwable e) {
      // A failing logger must not end the calling thread.
      leftOut.addAndGet(before + 1);
    }
  }
}
