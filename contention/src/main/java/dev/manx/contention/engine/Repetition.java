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
 * @param seed of arrivals and keys
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
      long records, long valueBytes, double readShare, boolean sharedKeys, double zipf) {}

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
    out.add(String.format(Locale.ROOT, "reads=%.6f", data.readShare()));
    add(out, "shared-keys", data.sharedKeys() ? 1 : 0);
    out.add(String.format(Locale.ROOT, "zipf=%.6f", data.zipf()));
    add(out, "seed", seed);
    return out;
  }

  private static void add(List<String> out, String name, long value) {
    out.add(name + "=" + value);
  }
}
