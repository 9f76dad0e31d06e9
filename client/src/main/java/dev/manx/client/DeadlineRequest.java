/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

/** A request with its own deadline; a separate class keeps other requests small. */
final class DeadlineRequest extends FanoutRequest {
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
