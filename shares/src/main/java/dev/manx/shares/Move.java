/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/**
 * A share's limit shall change.
 *
 * @param backend whose
 * @param fromBytes its limit so far
 * @param toBytes its limit from now on
 */
public record Move(String backend, long fromBytes, long toBytes) {
  /** Whether the share becomes smaller. */
  public boolean shrinks() {
    return toBytes < fromBytes;
  }
}
