/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A result folder being written by any kind of experiment: {@code experiment.yaml}, the three row
 * files and one histogram log for each arm and class. {@link #complete} moves the row files into
 * place ({@link RowWriter}); without it they stay incomplete, so that a failed run never looks like
 * a finished one. Confined to one thread.
 */
public final class ResultFolder implements AutoCloseable {
  /** The experiment as it was run, every setting resolved. */
  public static final String EXPERIMENT_FILE = "experiment.yaml";

  private final Path folder;
  private final String experiment;
  private final RowWriter<SummaryRow> summary;
  private final RowWriter<MetricRow> metrics;
  private final RowWriter<TimelineRow> timeline;
  private final Map<Path, Histograms.Log> logs = new LinkedHashMap<>();

  /**
   * Starts a folder and creates it if it is missing.
   *
   * @param experiment its name, used in the logs
   * @param text content of {@code experiment.yaml}
   */
  public ResultFolder(Path folder, String experiment, String text) throws IOException {
    this.folder = folder;
    this.experiment = experiment;
    Files.createDirectories(folder);
    Path file = folder.resolve(EXPERIMENT_FILE);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    // A write that fails, as on a full disk, would leave an interrupted run without its experiment.
    if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), bytes)) {
      Files.write(file, bytes);
    }
    summary = RowWriter.create(folder, SummaryRow.FORMAT);
    metrics = RowWriter.create(folder, MetricRow.FORMAT);
    timeline = RowWriter.create(folder, TimelineRow.FORMAT);
  }

  /** Writes the environment of the run. */
  public void environment(Environment environment) throws IOException {
    environment.write(folder);
  }

  /** Appends rows of {@code summary.csv}. */
  public void summaries(Iterable<SummaryRow> rows) throws IOException {
    for (SummaryRow row : rows) {
      summary.append(row);
    }
  }

  /** Appends a row of {@code summary.csv}. */
  public void summary(SummaryRow row) throws IOException {
    summary.append(row);
  }

  /** Appends rows of {@code metrics.csv}. */
  public void metrics(Iterable<MetricRow> rows) throws IOException {
    for (MetricRow row : rows) {
      metrics.append(row);
    }
  }

  /** Appends one row of {@code metrics.csv} for each name and value. */
  public void metrics(RowKey key, Map<String, Double> values) throws IOException {
    for (Map.Entry<String, Double> value : values.entrySet()) {
      metrics.append(MetricRow.of(key, value.getKey(), value.getValue()));
    }
  }

  /** Appends a row of {@code metrics.csv}. */
  public void metric(MetricRow row) throws IOException {
    metrics.append(row);
  }

  /** Appends rows of {@code timeline.csv}. */
  public void timeline(Iterable<TimelineRow> rows) throws IOException {
    for (TimelineRow row : rows) {
      timeline.append(row);
    }
  }

  /** Appends a row of {@code timeline.csv}. */
  public void timeline(TimelineRow row) throws IOException {
    timeline.append(row);
  }

  /** The log of an arm and class, opened on first use and closed with the folder. */
  public Histograms.Log log(String arm, String requestClass) throws IOException {
    Path file = Histograms.logFile(folder, arm, requestClass);
    Histograms.Log log = logs.get(file);
    if (log == null) {
      log = Histograms.log(file, experiment + " " + arm);
      logs.put(file, log);
    }
    return log;
  }

  /** Flushes the rows so far to the operating system, so that an interrupted run keeps them. */
  public void flush() throws IOException {
    summary.flush();
    metrics.flush();
    timeline.flush();
  }

  /** Closes all files after the last row, even if one of them fails. */
  public void complete() throws IOException {
    end(List.of(summary, metrics, timeline));
  }

  /** Closes the files of a run that did not complete. */
  @Override
  public void close() throws IOException {
    end(List.of(summary::leave, metrics::leave, timeline::leave));
  }

  private void end(List<Closeable> rows) throws IOException {
    List<Closeable> files = new ArrayList<>(logs.values());
    files.addAll(rows);
    IOException failed = null;
    for (Closeable file : files) {
      try {
        file.close();
      } catch (IOException e) {
        if (failed == null) {
          failed = e;
        } else {
          failed.addSuppressed(e);
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
