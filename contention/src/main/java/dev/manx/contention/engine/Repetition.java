/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One repetition of the driver's work.
 *
 * @param threads sessions, one thread each
 * @param ratePerSecond operations of all sessions, Poisson; 0 for a closed loop
 * @param warmUpMillis load before the measured window
 * @param windowMillis the measured window
 * @param cores cores that the sessions may use; 0 for all
 * @param boosted sessions whose priority is raised; 0 for none
 * @param nice their nice level, -20 to 19
 * @param fromMillis start of the raised priority, from the start of the window; -1 for the start of
 *     the load
 * @param toMillis its end; -1 for the end of the window
 * @param limit maximum number of sessions inside the engine at a time; 0 for no limit
 * @param data records and mix
 * @param seed of arrivals and keys; the driver gets its lowest 53 bits
 */
public record Repetition(
    int threads,
    double ratePerSecond,
    long warmUpMillis,
    long windowMillis,
    int cores,
    int boosted,
    int nice,
    long fromMillis,
    long toMillis,
    int limit,
    Data data,
    long seed) {
  // The driver reads numbers as doubles.
  private static final long SEED_BITS = (1L << 53) - 1;

  /**
   * The data of the sessions.
   *
   * @param records number of records in the table
   * @param valueBytes size of each
   * @param readShare fraction of operations that only read, 0 to 1
   * @param sharedKeys whether all sessions use all keys; else each has its own part
   * @param zipf exponent of their popularity; 0 for uniform
   */
  public record Data(
      long records, long valueBytes, double readShare, boolean sharedKeys, double zipf) {
    // Keys, and the engine's own structures for each record.
    private static final long RECORD_OVERHEAD_BYTES = 100;
    private static final long LEAST_CACHE_MB = 512;
    // The engine's limit: 10 TB.
    private static final long MOST_CACHE_MB = 10 << 20;
    // All records are dirty, as none is written before the end. By default WiredTiger begins to
    // evict when updates fill 2.5 % of the cache, and the sessions must evict too at 10 %.
    private static final long PARTS_OF_CACHE = 100;

    /** Memory of the records in the engine; as much is written at the end. */
    public long bytes() {
      return records * (valueBytes + RECORD_OVERHEAD_BYTES);
    }

    /**
     * Size of the engine's cache, MiB: so large that nothing is evicted. It is a limit, and costs
     * nothing where it is not used.
     */
    public long cacheMb() {
      long wanted = (bytes() >> 20) * PARTS_OF_CACHE;
      return Math.min(MOST_CACHE_MB, Math.max(LEAST_CACHE_MB, wanted));
    }
  }

  /** A build of the engine, with its start parameters. */
  public record Engine(EngineLibrary library, java.nio.file.Path driver, Map<String, String> env) {
    /** Copies the environment. */
    public Engine {
      env = Map.copyOf(env);
    }
  }

  /** The driver's arguments, except its folders. */
  List<String> arguments() {
    List<String> out = new ArrayList<>();
    add(out, "threads", threads);
    out.add(String.format(Locale.ROOT, "rate=%.3f", ratePerSecond));
    add(out, "warm-ms", warmUpMillis);
    add(out, "run-ms", windowMillis);
    add(out, "cores", cores);
    add(out, "boost", boosted);
    add(out, "nice", nice);
    add(out, "from-ms", fromMillis);
    add(out, "to-ms", toMillis);
    add(out, "limit", limit);
    add(out, "records", data.records());
    add(out, "value-bytes", data.valueBytes());
    add(out, "cache-mb", data.cacheMb());
    out.add(String.format(Locale.ROOT, "reads=%.6f", data.readShare()));
    add(out, "shared-keys", data.sharedKeys() ? 1 : 0);
    out.add(String.format(Locale.ROOT, "zipf=%.6f", data.zipf()));
    add(out, "seed", seed & SEED_BITS);
    return out;
  }

  private static void add(List<String> out, String name, long value) {
    out.add(name + "=" + value);
  }
}
