/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.timer;

/** A task that is to run later. */
@FunctionalInterface
public interface Alarm {
  /** Keeps it from running, unless it runs already. Any thread. */
  void cancel();
}
