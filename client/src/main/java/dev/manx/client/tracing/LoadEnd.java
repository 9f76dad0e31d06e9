/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * How a load has ended.
 *
 * @param outcome in a word
 * @param keys that it was to find
 * @param found those of them that exist, as far as is known
 * @param below those of them that the second level had
 * @param failure why it has no answer; null if it has one
 */
public record LoadEnd(Outcome outcome, int keys, int found, int below, Throwable failure) {
  /** Kinds of ends. */
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
