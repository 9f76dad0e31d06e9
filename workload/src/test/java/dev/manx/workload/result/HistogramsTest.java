/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistogramsTest {
  private static final RowKey KEY = new RowKey("e", "stock", "all", "70%", "1", "1");

  @TempDir Path directory;

  @Test
  void summaryHasThePercentilesInMicroseconds() {
    Histogram nanos = Histograms.create();
    for (int millis = 1; millis <= 1000; millis++) {
      Histograms.record(nanos, millis * 1_000_000L);
    }
    SummaryRow row = SummaryRow.of(KEY, 1003, 3, 1, 99.5, nanos);
    assertThat(row.count()).isEqualTo(1003);
    assertThat(row.errors()).isEqualTo(3);
    assertThat(row.wrong()).isEqualTo(1);
    assertThat(row.throughputPerSecond()).isEqualTo(99.5);
    assertThat(row.meanUs()).isCloseTo(500_500, within(500.0));
    assertThat(row.p50Us()).isCloseTo(500_000, within(500.0));
    assertThat(row.p90Us()).isCloseTo(900_000, within(900.0));
    assertThat(row.p95Us()).isCloseTo(950_000, within(950.0));
    assertThat(row.p99Us()).isCloseTo(990_000, within(990.0));
    assertThat(row.p999Us()).isCloseTo(999_000, within(999.0));
    assertThat(row.maxUs()).isCloseTo(1_000_000, within(1000.0));
    assertThat(row.p99LoUs()).isNaN();
    assertThat(row.withP99Interval(1, 2).p99HiUs()).isEqualTo(2);
  }

  @Test
  void nothingRecordedIsNoNumber() {
    SummaryRow row = SummaryRow.of(KEY, 0, 0, 0, 0, Histograms.create());
    assertThat(row.meanUs()).isNaN();
    assertThat(row.p99Us()).isNaN();
  }

  @Test
  void valuesOutsideTheRangeCountAtItsEnds() {
    Histogram nanos = Histograms.create();
    Histograms.record(nanos, -5);
    Histograms.record(nanos, Long.MAX_VALUE);
    assertThat(nanos.getTotalCount()).isEqualTo(2);
    assertThat(nanos.getMinValue()).isZero();
    assertThat(nanos.getMaxValue()).isGreaterThanOrEqualTo(Histograms.HIGHEST_NANOS);
  }

  @Test
  void aFullDiskIsAnError() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "needs /dev/full of Linux");
    Histograms.Log log = Histograms.log(full, "stock");
    log.append("s1r1", 0, 10, Histograms.create());
    assertThatThrownBy(log::close).isInstanceOf(IOException.class).hasMessageContaining("full");
  }

  /** The rows are small and may fit where the histograms do not. */
  @Test
  void aFolderWhoseLogFailsKeepsItsRows() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "needs /dev/full of Linux");
    Files.createSymbolicLink(Histograms.logFile(directory, "stock", "all"), full);
    ResultFolder folder = new ResultFolder(directory, "e", "experiment: e");
    folder.summary(SummaryRow.of(KEY, 0, 0, 0, 0, Histograms.create()));
    folder.log("stock", "all").append("s1r1", 0, 10, Histograms.create());
    assertThatThrownBy(folder::complete).isInstanceOf(IOException.class);
    assertThat(RowReader.read(directory, SummaryRow.FORMAT)).hasSize(1);
  }

  @Test
  void logsKeepEveryValue() throws IOException {
    Path file = Histograms.logFile(directory, "low latency/a", "wide");
    assertThat(file.getFileName()).hasToString("low_latency_a-wide.hlog");
    Histogram first = Histograms.create();
    Histogram second = Histograms.createConcurrent();
    for (int i = 0; i < 1000; i++) {
      Histograms.record(first, 1_000L * i * i);
      Histograms.record(second, 5_000_000L + i * 10_000L);
    }
    try (Histograms.Log log = Histograms.log(file, "stock, 70%")) {
      log.append("s1r1", 0, 10, first);
      log.append("s1r2", 10, 20, second);
    }
    assertThat(Files.readString(file)).contains("stock, 70%").contains("Tag=s1r2");
    Histogram sum = Histograms.create();
    sum.add(first);
    sum.add(second);
    assertThat(Histograms.readLog(file)).isEqualTo(sum);
  }
}
