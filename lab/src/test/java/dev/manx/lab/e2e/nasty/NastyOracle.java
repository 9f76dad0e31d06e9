/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e.nasty;

import dev.manx.policy.oracle.SizeOracle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Throws or does not return when it learns from a write; does not return when its fill level is
 * queried, or when a constant is queried a second time.
 */
final class NastyOracle implements SizeOracle {
  private final String does;
  private final AtomicInteger asked = new AtomicInteger();

  NastyOracle(String does) {
    this.does = does;
  }

  @Override
  public long sizeBytes(ByteBuffer key, long keyHash) {
    return 1;
  }

  @Override
  public void learn(ByteBuffer key, long keyHash, long sizeBytes) {
    // It learns from reads without a key, on a thread that the node cannot spare.
    if (key == null) {
      return;
    }
    switch (does) {
      case "block" -> NastyPolicies.block();
      case "throw" -> throw new IllegalStateException("nasty");
      default -> {}
    }
  }

  @Override
  public long largeAboveBytes() {
    if (does.equals("block-again") && asked.getAndIncrement() > 0) {
      NastyPolicies.block();
    }
    return 1;
  }

  @Override
  public long memoryBytes() {
    return 1;
  }

  @Override
  public double fillRatio() {
    if (does.equals("block-fill") && asked.getAndIncrement() > 0) {
      NastyPolicies.block();
    }
    return 0;
  }
}
