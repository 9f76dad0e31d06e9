/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import java.util.Optional;

/**
 * The storage of one node: its page cache and the disks behind it. Without a cache in the model all
 * values are in memory. Confined to one thread.
 */
final class Storage {
  private final ModelSpec.Cache spec;
  private final PageCache cache;
  private final Disks disks;

  /** Reads that have started, each with a look into the page cache. */
  long lookups;

  long misses;
  long missedBytes;

  /** Creates it with an empty page cache. */
  Storage(Optional<ModelSpec.Cache> model) {
    spec = model.orElse(null);
    cache = spec == null ? null : new PageCache(spec.bytesPerNode());
    disks = new Disks(spec == null ? 0 : spec.disks());
  }

  /** Reads a value, and returns the time that its miss takes at speed 1; 0 for a hit. */
  double read(long keyHash, int bytes) {
    lookups++;
    if (cache == null || cache.read(keyHash, bytes)) {
      return 0;
    }
    misses++;
    missedBytes += bytes;
    return spec.missNanos() + bytes * spec.missPerByteNanos();
  }

  /** Starts a miss, and returns the wait for a disk; 0 for a hit. */
  double begin(double missNanos, long now) {
    return missNanos > 0 ? disks.begin(missNanos, now) : 0;
  }

  /** Continues after a stop. */
  void goOn(long sinceNanos, long now) {
    disks.goOn(sinceNanos, now);
  }

  /** Drops all misses under way. */
  void die() {
    disks.clear();
  }

  /** Empties the page cache. */
  void clear() {
    if (cache != null) {
      cache.clear();
    }
  }
}
