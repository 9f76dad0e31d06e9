/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import dev.manx.contention.engine.DriverRun;
import dev.manx.contention.engine.EngineException;
import dev.manx.contention.engine.Repetition;
import dev.manx.lab.experiment.RunException;
import dev.manx.local.cluster.Preflight;
import dev.manx.policy.config.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The memory for the records of a repetition: in the engine, which does not evict records, and in
 * its files.
 *
 * @param available memory for new processes, if known
 * @param files folder of the engine's files, mostly in memory
 * @param free space there
 */
record DataMemory(OptionalLong available, Path files, long free) {
  /** The memory of this machine. */
  static DataMemory here() {
    Path files = DriverRun.files();
    try {
      long free = Files.getFileStore(files).getUsableSpace();
      return new DataMemory(Preflight.availableMemory(), files, free);
    } catch (IOException e) {
      throw new EngineException("cannot use " + files + ": " + e.getMessage(), e);
    }
  }

  /**
   * Checks that the records fit.
   *
   * @throws RunException if they do not fit
   */
  void check(Repetition.Data data) {
    // The engine writes its files when it is closed.
    refuse(data, "memory", 2 * data.bytes(), available.orElse(Long.MAX_VALUE));
    refuse(data, "space in " + files, data.bytes(), free);
  }

  private static void refuse(Repetition.Data data, String what, long wanted, long there) {
    if (wanted > there) {
      throw new RunException(
          String.format(
              Locale.ROOT,
              "%,d records of %s need about %s of %s, and %s are available: lower data.records or"
                  + " data.value",
              data.records(),
              Units.bytes(data.valueBytes()),
              Units.bytes(wanted),
              what,
              Units.bytes(there)));
    }
  }
}
