/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e.nasty;

import dev.manx.policy.oracle.SizeOracle;
import java.nio.ByteBuffer;

/** Throws when a write asks what is large, or does not return when one teaches it. */
final class NastyOracle implements SizeOracle {
  private final String does;

  NastyOracle(String does) {
    this.does = does;
  }

  @Override
  public long sizeBytes(ByteBuffer key, long keyHash) {
    return 1;
  }

  @Override
  public void learn(ByteBuffer key, long keyHash, long sizeBytes) {
    // Reads teach without a key, on a thread that the node cannot spare.
    if (does.equals("block") && key != null) {
      NastyPolicies.block();
    }
  }

  @Override
  public long largeAboveBytes() {
    if (does.equals("throw")) {
      throw new IllegalStateException("nasty");
    }
    return 1;
  }

  @Override
  public long memoryBytes() {
    return 1;
  }

  @Override
  public double fillRatio() {
    return 0;
  }
}
