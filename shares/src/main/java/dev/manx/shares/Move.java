/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/**
 * A required change of a share's limit.
 *
 * @param backend the share's backend
 * @param fromBytes limit before
 * @param toBytes limit after
 */
public record Move(String backend, long fromBytes, long toBytes) {
  /** Whether the share shrinks. */
  public boolean shrinks() {
    return toBytes < fromBytes;
  }
}
