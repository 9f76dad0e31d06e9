/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.experiment.RunException;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.ResultFolder;
import dev.manx.workload.result.RowFormat;
import dev.manx.workload.result.RowWriter;
import dev.manx.workload.result.SummaryRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The rows that claims are judged by, one folder per run: {@code summary.csv} and {@code
 * metrics.csv} with the rows that figures need, {@code experiment.yaml} with the settings that gave
 * them, and {@code provenance.yaml}. All come from result folders only: what a hand has changed
 * does not fit its checksum and is refused. Runs that were stored before settings were have none.
 */
final class ResultStore {
  private final Path folder;

  ResultStore(Path folder) {
    this.folder = folder;
  }

  /** The settings' file in a result folder, and beside stored rows. */
  static final String SETTINGS = ResultFolder.EXPERIMENT_FILE;

  /**
   * The stored part of a run.
   *
   * @param settings the resolved experiment that gave the rows; empty if it was not stored
   */
  record Stored(ResultRows rows, Optional<String> settings, Provenance provenance) {}

  /** Where the settings of a stored run are. */
  Path settings(String experiment) {
    return folder.resolve(experiment).resolve(SETTINGS);
  }

  /**
   * The stored rows of a run, if there are any.
   *
   * @throws RunException if they do not fit their checksum
   */
  Optional<Stored> read(String experiment) throws IOException {
    Path own = folder.resolve(experiment);
    Path file = own.resolve(Provenance.FILE_NAME);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Provenance provenance = Provenance.parse(file.toString(), Files.readString(file));
    if (!provenance.rows().equals(checksum(own))) {
      throw new RunException(
          own
              + ": the rows are not those that were stored; restore them from version control, or"
              + " store them again with ./manx claims --from RESULT_FOLDER");
    }
    Path settings = settings(experiment);
    return Optional.of(
        new Stored(
            ResultRows.read(own),
            Files.exists(settings) ? Optional.of(Files.readString(settings)) : Optional.empty(),
            provenance));
  }

  /**
   * Replaces what is stored of a run.
   *
   * @param settings the resolved experiment that gave the rows
   */
  void write(String experiment, ResultRows rows, String settings, Provenance like)
      throws IOException {
    Path own = folder.resolve(experiment);
    Files.createDirectories(own);
    write(own, SummaryRow.FORMAT, rows.summary());
    write(own, MetricRow.FORMAT, rows.metrics());
    Files.writeString(own.resolve(SETTINGS), settings);
    Provenance provenance =
        new Provenance(
            like.command(), like.revision(), like.machine(), like.amount(), checksum(own));
    Files.writeString(own.resolve(Provenance.FILE_NAME), provenance.text());
  }

  private static <T> void write(Path own, RowFormat<T> format, List<T> rows) throws IOException {
    Files.deleteIfExists(own.resolve(format.fileName()));
    if (!rows.isEmpty()) {
      try (RowWriter<T> out = RowWriter.create(own, format)) {
        for (T row : rows) {
          out.append(row);
        }
      }
    }
  }

  private static String checksum(Path own) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String name :
          List.of(SummaryRow.FORMAT.fileName(), MetricRow.FORMAT.fileName(), SETTINGS)) {
        Path file = own.resolve(name);
        if (Files.exists(file)) {
          digest.update(Files.readAllBytes(file));
        }
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
