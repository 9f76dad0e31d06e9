/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * The result of a load.
 *
 * @param outcome kind of end
 * @param keys number of requested keys
 * @param found number of those that exist, as far as known
 * @param below number of those found in the second level
 * @param failure why the load has no answer; null if it has one
 */
public record LoadEnd(Outcome outcome, int keys, int found, int below, Throwable failure) {
  /** The kinds of ends. */
  public enum Outcome {
    /** The loader answered, or was not needed. */
    ANSWERED,
    /** The loader failed. */
    FAILED,
    /** The loader did not answer within the backend's time-out. */
    TIMED_OUT,
    /** The breaker was open: the loader was not called. */
    REFUSED
  }
}
