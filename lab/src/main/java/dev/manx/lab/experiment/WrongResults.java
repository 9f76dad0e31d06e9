/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.workload.result.Environment;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.SummaryRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The reasons why the results of a run cannot be right: wrong rows, and failed checks. */
public final class WrongResults {
  private WrongResults() {}

  /**
   * One sentence for each arm and load with wrong rows, and for each check that failed.
   *
   * @param rows of {@code summary.csv}
   */
  public static List<String> of(List<SummaryRow> rows, Optional<Environment> environment) {
    // The classes of an arm overlap.
    Map<RowKey, Long> wrong = new LinkedHashMap<>();
    for (SummaryRow row : rows) {
      if (row.key().isPooled() && row.wrong() > 0) {
        wrong.merge(row.key().withClass(RowKey.ALL), row.wrong(), Math::max);
      }
    }
    List<String> reasons = new ArrayList<>();
    wrong.forEach(
        (key, count) ->
            reasons.add(
                "%s at %s returned %d wrong, missing or duplicate rows"
                    .formatted(key.arm(), key.load(), count)));
    reasons.addAll(failedChecks(environment));
    return List.copyOf(reasons);
  }

  /** {@code check order FAILS in 1 of 3 runs}, for each check that failed. */
  public static List<String> failedChecks(Optional<Environment> environment) {
    return environment
        .map(of -> CheckVerdicts.failed(of.settings()))
        .orElse(Map.of())
        .entrySet()
        .stream()
        .map(check -> "check " + check.getKey() + " " + check.getValue())
        .toList();
  }
}
