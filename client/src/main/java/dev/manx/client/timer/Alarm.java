/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.timer;

/** A task that is to run later. */
@FunctionalInterface
public interface Alarm {
  /** Makes that it does not run, unless it runs already. Any thread. */
  void cancel();
}
