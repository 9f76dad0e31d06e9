/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.timer;

/** A scheduled task. */
@FunctionalInterface
public interface Alarm {
  /** Cancels the task unless it is already running. Thread-safe. */
  void cancel();
}
