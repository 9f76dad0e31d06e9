/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.RunException;
import dev.manx.load.Backlog;
import dev.manx.load.ClassResult;
import dev.manx.load.LoadResult;
import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Histograms;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LoadMeasuredTest {
  private static LoadResult result(long wrong, long warmUpWrong) {
    Histogram latency = Histograms.create();
    return result(
        new ClassResult(RequestClass.ALL, 10, 10, 0, 0, 0, 20, wrong, 0, 0, 10, latency),
        warmUpWrong);
  }

  private static LoadResult result(ClassResult all, long warmUpWrong) {
    return new LoadResult(
        Map.of(RequestClass.ALL, all),
        Histograms.create(),
        new Backlog(0, 0, 0, false, false),
        1,
        5,
        0,
        warmUpWrong,
        0,
        Map.of("TimeoutException", 10L));
  }

  private static String checks(long warmUpWrong) {
    StringBuilder all = new StringBuilder();
    Measured measured = LoadMeasured.of(0, result(0, warmUpWrong), Double.NaN);
    measured
        .checks()
        .forEach(one -> all.append(one.name()).append(' ').append(one.holds()).append('\n'));
    return all.toString();
  }

  /** They are in no row of the summary, so that the run would exit with 0. */
  @Test
  void wrongRowsOfAWarmUpFailTheRun() {
    assertThat(checks(3)).isEqualTo("correct rows in warm-up false\n");
    assertThat(checks(0)).isEqualTo("correct rows in warm-up true\n");
  }

  /** They are pooled by their names. */
  @Test
  void everyCountOfFailuresIsAMetric() {
    assertThat(LoadMeasured.of(0, result(0, 0), Double.NaN).metrics())
        .extracting(Measured.Metric::name)
        .containsAll(LoadResult.FAILURES);
  }

  @Test
  void aRunWithoutResultsHasNoWrongRows() {
    assertThatThrownBy(() -> LoadMeasured.checkRows("arm manx while settling", result(2, 3)))
        .isInstanceOf(RunException.class)
        .hasMessage("arm manx while settling: 5 rows wrong, missing or duplicated");
    assertThatCode(() -> LoadMeasured.checkRows("settling", result(0, 0)))
        .doesNotThrowAnyException();
  }

  @Test
  void anArmThatSettlesMustAnswerCorrectly() {
    assertThatCode(() -> LoadMeasured.settled("manx", result(0, 0))).doesNotThrowAnyException();
    assertThatThrownBy(() -> LoadMeasured.settled("manx", result(2, 3)))
        .isInstanceOf(RunException.class)
        .hasMessage("arm manx while settling: 5 rows wrong, missing or duplicated");
    ClassResult none =
        new ClassResult(RequestClass.ALL, 10, 0, 0, 10, 0, 0, 0, 0, 0, 10, Histograms.create());
    assertThatThrownBy(() -> LoadMeasured.settled("manx", result(none, 0)))
        .isInstanceOf(RunException.class)
        .hasMessage("arm manx answers nothing while settling: {TimeoutException=10}");
  }
}
