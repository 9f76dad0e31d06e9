/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import java.nio.file.Path;
import java.util.List;

/** The results of an experiment with user-defined statements at one rate. */
final class OwnResults {
  private final List<SummaryRow> summary;
  private final List<MetricRow> metrics;

  OwnResults(Path folder) throws Exception {
    summary = RowReader.read(folder, SummaryRow.FORMAT);
    metrics = RowReader.read(folder, MetricRow.FORMAT);
  }

  /** Requests of an arm, sent or not. */
  long requests(String arm) {
    return all(arm).count();
  }

  /** Requests of an arm that this machine was not too late to send, as it is when it pauses. */
  double sent(String arm) {
    return requests(arm) - metric(arm, "not_sent");
  }

  /** Requests of an arm that were sent, and failed or timed out. */
  double failed(String arm) {
    return all(arm).errors() - metric(arm, "not_sent");
  }

  private SummaryRow all(String arm) {
    return summary.stream()
        .filter(row -> row.key().arm().equals(arm) && row.key().requestClass().equals("all"))
        .filter(row -> row.key().seed().equals("all") && row.key().round().equals("all"))
        .findFirst()
        .orElseThrow();
  }

  /** A number of an arm, of all its rounds. */
  double metric(String arm, String name) {
    return metrics.stream()
        .filter(row -> row.metric().equals(name))
        .filter(row -> row.key().arm().equals(arm) && row.key().seed().equals("all"))
        .mapToDouble(MetricRow::value)
        .findFirst()
        .orElseThrow();
  }
}
