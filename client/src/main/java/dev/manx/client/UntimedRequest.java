/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

/**
 * A request that began while the application's clock failed. It is not recorded, and of the limits
 * of its queries only the backends' time-outs remain.
 */
final class UntimedRequest extends FanoutRequest {
  UntimedRequest(FanoutCache cache) {
    super(cache, 0);
  }

  @Override
  long limitNanos() {
    return 0;
  }

  @Override
  long passedNanos() {
    return UNKNOWN_NANOS;
  }
}
