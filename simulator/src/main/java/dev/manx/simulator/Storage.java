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

  /** Creates the storage with an empty page cache. */
  Storage(Optional<ModelSpec.Cache> model) {
    spec = model.orElse(null);
    cache = spec == null ? null : new PageCache(spec.bytesPerNode());
    disks = new Disks(spec == null ? 0 : spec.disks());
  }

  /**
   * Looks for a read's value. It is a hit if another read is loading it.
   *
   * @return {@link PageCache#CACHED}, {@link PageCache#ABSENT} or the index of the loading read
   */
  int look(Read read) {
    lookups++;
    int found = cache == null ? PageCache.CACHED : cache.read(read.keyHash, read.bytes, read.index);
    read.loads = found == PageCache.ABSENT;
    if (read.loads) {
      misses++;
      missedBytes += read.bytes;
    }
    return found;
  }

  /** Time of a miss at speed 1. */
  double missNanos(int bytes) {
    return spec.missNanos() + bytes * spec.missPerByteNanos();
  }

  /**
   * Ends a read, or drops it.
   *
   * @param isCached whether its miss, if it has one, has ended
   */
  void ended(Read read, boolean isCached) {
    if (read.loads) {
      read.loads = false;
      cache.ended(read.keyHash, read.index, isCached);
    }
  }

  /**
   * Stops a read during its miss.
   *
   * @param other a read that waits for that miss and from now on loads the value; null if there is
   *     none
   */
  void stopped(Read read, Read other) {
    if (read.loads && other != null && cache.handOn(read.keyHash, read.index, other.index)) {
      read.loads = false;
      other.loads = true;
    } else {
      ended(read, false);
    }
  }

  /** Starts a miss, and returns the wait for a disk. */
  double begin(double missNanos, long now) {
    return disks.begin(missNanos, now);
  }

  /** Continues after a stop. */
  void goOn(long sinceNanos, long now) {
    disks.goOn(sinceNanos, now);
  }

  /** Changes the time that all misses still need by a factor. */
  void stretch(double factor, long sinceNanos) {
    disks.stretch(factor, sinceNanos);
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
