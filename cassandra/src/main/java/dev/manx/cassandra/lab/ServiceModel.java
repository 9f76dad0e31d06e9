/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.lab;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * A model of slow storage: a read sleeps {@code base + per-kib * KiB} while it holds its read
 * thread, so that a true multi-server queue forms without burning the host's cores. Lab only. A
 * node whose storage stalls periodically does not serve reads for {@code pause} out of every {@code
 * every}: reads that arrive or are running meanwhile take that much longer.
 *
 * <p>The size is the number that the lab writes into its keys ({@code <bytes>_<id>}); a key without
 * it counts as 1 KiB. Requested and actual sleep are both counted, since {@code parkNanos}
 * oversleeps.
 */
final class ServiceModel {
  /** The single model of this node. */
  static final ServiceModel INSTANCE = new ServiceModel();

  private static final long DEFAULT_BYTES = 1024;

  private final LongAdder reads = new LongAdder();
  private final LongAdder wantedNanos = new LongAdder();
  private final LongAdder sleptNanos = new LongAdder();
  private volatile long baseNanos;
  private volatile long perKibNanos;
  private volatile long pauseNanos;
  private volatile long everyNanos;

  private ServiceModel() {}

  /**
   * Reads {@code base} and {@code per-kib} (durations such as 5ms, 300us), and for stalling storage
   * {@code pause} and {@code every}, from the memtable's parameters.
   */
  void configure(Map<String, String> parameters) {
    baseNanos = duration(parameters.remove("base"), "base");
    perKibNanos = duration(parameters.remove("per-kib"), "per-kib");
    String pause = parameters.remove("pause");
    String every = parameters.remove("every");
    pauseNanos = pause == null ? 0 : duration(pause, "pause");
    everyNanos = pause == null ? 0 : duration(every, "every");
    if (pauseNanos > 0 && pauseNanos >= everyNanos) {
      throw new ConfigurationException("memtable parameter pause must be shorter than every");
    }
  }

  void set(long newBaseNanos, long newPerKibNanos) {
    baseNanos = newBaseNanos;
    perKibNanos = newPerKibNanos;
  }

  long baseNanos() {
    return baseNanos;
  }

  long perKibNanos() {
    return perKibNanos;
  }

  Map<String, Long> values() {
    return Map.of(
        "base_nanos", baseNanos,
        "per_kib_nanos", perKibNanos,
        "reads", reads.sum(),
        "wanted_nanos", wantedNanos.sum(),
        "slept_nanos", sleptNanos.sum());
  }

  /** Sleeps as long as a read of this key takes on the modelled storage. */
  void serve(ByteBuffer key) {
    long wanted = baseNanos + Math.round(perKibNanos * (bytes(key) / 1024.0));
    if (wanted <= 0) {
      return;
    }
    long start = System.nanoTime();
    wanted = withPauses(start, wanted, pauseNanos, everyNanos);
    long end = start + wanted;
    long now = start;
    while (now - end < 0) {
      LockSupport.parkNanos(end - now);
      now = System.nanoTime();
    }
    reads.increment();
    wantedNanos.add(wanted);
    sleptNanos.add(now - start);
  }

  /**
   * The length of a service that halts during pauses, which fill the beginning of each period of
   * the node's monotonic clock.
   */
  static long withPauses(long start, long service, long pause, long every) {
    if (pause == 0) {
      return service;
    }
    long at = Math.floorMod(start, every);
    long paused = Math.max(0, pause - at);
    long served = Math.min(service, every - Math.max(at, pause));
    long periods = (service - served + every - pause - 1) / (every - pause);
    return paused + service + periods * pause;
  }

  /** The number before the first underscore of a key, or {@value #DEFAULT_BYTES}. */
  static long bytes(ByteBuffer key) {
    long bytes = 0;
    for (int i = key.position(); i < key.limit(); i++) {
      int c = key.get(i);
      if (c == '_' && i > key.position()) {
        return bytes;
      }
      if (c < '0' || c > '9' || bytes > Integer.MAX_VALUE) {
        return DEFAULT_BYTES;
      }
      bytes = bytes * 10 + (c - '0');
    }
    return DEFAULT_BYTES;
  }

  static long duration(String text, String name) {
    String[] units = {"ns", "us", "ms", "s"};
    long[] nanos = {1, 1_000, 1_000_000, 1_000_000_000};
    for (int i = 0; text != null && i < units.length; i++) {
      String number =
          text.endsWith(units[i]) ? text.substring(0, text.length() - units[i].length()) : "";
      if (number.matches("[0-9]+(\\.[0-9]+)?")) {
        return Math.round(Double.parseDouble(number) * nanos[i]);
      }
    }
    throw new ConfigurationException(
        "memtable parameter "
            + name
            + " = '"
            + text
            + "': expected a duration such as 5ms, 300us or 0ns");
  }
}
