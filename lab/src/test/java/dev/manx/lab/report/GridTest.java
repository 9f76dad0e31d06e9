/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every arm at every load. */
class GridTest {
  @TempDir Path folder;

  /** Every closed loop had the same sort key. */
  @Test
  void theTableSortsLoadsThatAreNotNumbers() throws Exception {
    List<ResultFixture.Arm> arms =
        IntStream.range(0, 5).mapToObj(i -> new ResultFixture.Arm("arm" + i, 1, 50)).toList();
    new ResultFixture(arms, List.of("4 clients", "16 clients", "64 clients"), 2).write(folder);
    Grid grid = Grid.of(ReportData.read(folder)).orElseThrow();
    assertThat(GridTable.of(grid, "arm0").rows())
        .extracting(row -> row.get(1).text() + " " + row.get(1).value())
        .contains("4 clients 0.0", "16 clients 1.0", "64 clients 2.0");
  }

  /** Cases of squeezed threads: a page would have a heat map without a cell. */
  @Test
  void thereIsNoneWhereNothingIsOfAllRequests() throws Exception {
    List<ResultFixture.Arm> arms =
        IntStream.range(0, 5).mapToObj(i -> new ResultFixture.Arm("arm" + i, 1, 50)).toList();
    new ResultFixture(arms, List.of("30%", "40%"), 2).write(folder);
    assertThat(Grid.of(ReportData.read(folder))).isPresent();
    Path file = folder.resolve("experiment.yaml");
    Files.writeString(file, Files.readString(file).replace("on: cluster", "on: contention"));
    assertThat(Grid.of(ReportData.read(folder))).isEmpty();
  }
}
