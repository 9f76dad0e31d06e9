/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Reports that one call of an order did not return in time; the {@link SharedOrder} now decides
 * without it.
 */
public final class StuckOrderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StuckOrderException(Order<?> order) {
    super(
        "%s did not return from a call; reads are served first-in first-out"
            .formatted(order.getClass().getName()));
  }
}
