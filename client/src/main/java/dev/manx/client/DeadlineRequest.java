/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

/** A request with a deadline of its own; a class of its own, so that others stay small. */
final class DeadlineRequest extends Request {
  private final long limitNanos;

  DeadlineRequest(FanoutCache cache, long startNanos, long limitNanos) {
    super(cache, startNanos);
    this.limitNanos = limitNanos;
  }

  @Override
  long limitNanos() {
    return limitNanos;
  }
}
