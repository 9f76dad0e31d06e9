/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.util.List;

/**
 * The keys of a table, numbered from 0: text {@code <valueBytes>_<id>}, so that the size precedes
 * the first {@code _} ({@code oracle.size-key-encoded}). A key's size class is a hash of seed and
 * id, so the shares hold in expectation. Immutable; any thread.
 */
public final class KeySpace {
  private final int keys;
  private final List<SizeClass> sizes;
  private final int largeFromBytes;
  private final long seed;
  private final double[] upTo;

  /**
   * A key space.
   *
   * @param keys how many, at least 1
   * @param sizes size classes whose shares sum to 1
   * @param largeFromBytes values of at least this many bytes are large
   * @param seed determines the size of each key
   */
  public KeySpace(int keys, List<SizeClass> sizes, int largeFromBytes, long seed) {
    SettingCheck.that(keys >= 1, "a key space must have at least 1 key, but has %d", keys);
    SettingCheck.that(!sizes.isEmpty(), "a key space needs at least one size class");
    this.keys = keys;
    this.sizes = List.copyOf(sizes);
    this.largeFromBytes = largeFromBytes;
    this.seed = seed;
    upTo = new double[sizes.size()];
    double sum = 0;
    for (int i = 0; i < upTo.length; i++) {
      sum += sizes.get(i).share();
      upTo[i] = sum;
    }
    SettingCheck.that(
        Math.abs(sum - 1) < 1e-9, "the shares of the size classes sum to %s, not to 1", sum);
  }

  /** Number of keys; ids are 0..keys-1. */
  public int keys() {
    return keys;
  }

  /** The key's text. */
  public String key(int id) {
    return valueBytes(id) + "_" + id;
  }

  /** The size of the key's value. */
  public int valueBytes(int id) {
    if (id < 0 || id >= keys) {
      throw new IndexOutOfBoundsException("key id " + id + " of " + keys);
    }
    double u = Hashes.unit(Hashes.of(seed, id));
    int last = upTo.length - 1;
    for (int i = 0; i < last; i++) {
      if (u < upTo[i]) {
        return sizes.get(i).valueBytes();
      }
    }
    return sizes.get(last).valueBytes();
  }

  /** Whether the key's value is large. */
  public boolean large(int id) {
    return valueBytes(id) >= largeFromBytes;
  }

  /** Number of keys whose value is large. */
  int largeKeys() {
    int count = 0;
    for (int id = 0; id < keys; id++) {
      count += large(id) ? 1 : 0;
    }
    return count;
  }

  /** Bytes of all values together. */
  public long totalBytes() {
    long sum = 0;
    for (int id = 0; id < keys; id++) {
      sum += valueBytes(id);
    }
    return sum;
  }
}
