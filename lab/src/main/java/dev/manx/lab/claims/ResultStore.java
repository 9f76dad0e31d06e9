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
 * The rows that judge claims, one folder per run: {@code summary.csv} and {@code metrics.csv} with
 * the rows needed by figures, {@code experiment.yaml} with their settings, and {@code
 * provenance.yaml}. All come from result folders only: manual changes do not match the checksum and
 * are refused. Older runs may have no stored settings.
 */
final class ResultStore {
  private final Path folder;

  ResultStore(Path folder) {
    this.folder = folder;
  }

  /** The name of the settings' file in a result folder and next to stored rows. */
  static final String SETTINGS = ResultFolder.EXPERIMENT_FILE;

  /**
   * The stored rows of a run.
   *
   * @param settings the resolved experiment of the rows; empty if it was not stored
   */
  record Stored(ResultRows rows, Optional<String> settings, Provenance provenance) {}

  /** The file with the settings of a stored run. */
  Path settings(String experiment) {
    return folder.resolve(experiment).resolve(SETTINGS);
  }

  /**
   * The stored rows of a run, if any.
   *
   * @throws RunException if they do not match their checksum
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
   * Replaces the stored rows of a run.
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
