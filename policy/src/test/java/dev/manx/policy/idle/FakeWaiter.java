/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import java.util.ArrayList;
import java.util.List;

/** Counts instead of waiting; only sleeps advance its clock. */
final class FakeWaiter implements Waiter {
  long spins;
  long yields;
  long nowNanos;
  long onCore;
  long longestOnCore;
  final List<Long> parks = new ArrayList<>();

  @Override
  public void spin() {
    spins++;
    onCore++;
    longestOnCore = Math.max(longestOnCore, onCore);
  }

  @Override
  public void giveWay() {
    yields++;
    onCore = 0;
  }

  @Override
  public void park(long nanos) {
    parks.add(nanos);
    nowNanos += nanos;
    onCore = 0;
  }
}
