/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

/** A monotonic clock; policies receive one and never read a wall clock. Any thread may call it. */
@FunctionalInterface
public interface NanoClock {
  /** Nanoseconds since an arbitrary origin; never goes backwards. */
  long nanoTime();
}
