/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.Loader;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.workload.CheckedValues;
import dev.manx.workload.KeySpace;
import dev.manx.workload.SizeClass;
import java.nio.ByteBuffer;
import java.util.List;

/** The common part of backends with blocking clients: values that name their key, and threads. */
abstract class BlockingBackend implements LiveBackend {
  /** Largest number of loads that wait for a thread; further ones fail, as in any application. */
  private static final int WAITING = 512;

  private final BackendPlan plan;
  private final KeySpace keySpace;

  BlockingBackend(BackendPlan plan) {
    this.plan = plan;
    keySpace = keySpace(plan);
  }

  static KeySpace keySpace(BackendPlan plan) {
    return new KeySpace(
        plan.keys(), List.of(new SizeClass(plan.valueBytes(), 1)), Integer.MAX_VALUE, 1);
  }

  abstract Read read();

  /** The stored value of a key. */
  final byte[] value(int key) {
    return CheckedValues.encode(keySpace.key(key), 1, plan.valueBytes()).array();
  }

  @Override
  public final BackendPlan plan() {
    return plan;
  }

  @Override
  public Loader<Integer, byte[]> loader() {
    Read read = read();
    return Loader.onThreads(plan.threads(), WAITING, read::read);
  }

  @Override
  public boolean right(int key, byte[] value) {
    return CheckedValues.verify(keySpace.key(key), ByteBuffer.wrap(value))
        == CheckedValues.Verdict.OK;
  }
}
