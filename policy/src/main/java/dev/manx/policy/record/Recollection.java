/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import dev.manx.policy.Memory;

/**
 * Returns to a policy the numbers that it recalled when its decision was recorded. Confined to one
 * thread.
 */
final class Recollection implements Memory {
  private final long[] recorded;
  private int used;

  /** Reads numbers in hexadecimal, separated by dots. */
  Recollection(String text) {
    String[] words = text.isEmpty() ? new String[0] : text.split("\\.", -1);
    recorded = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      recorded[i] = Long.parseUnsignedLong(words[i], 16);
    }
  }

  static String write(long[] numbers, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ".").append(Long.toHexString(numbers[i]));
    }
    return text.toString();
  }

  @Override
  public long recalled(long own) {
    used++;
    return used <= recorded.length ? recorded[used - 1] : own;
  }

  /** Whether exactly the recorded numbers were recalled. */
  boolean isUsedUp() {
    return used == recorded.length;
  }
}
