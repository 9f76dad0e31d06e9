/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Arm;
import dev.manx.workload.result.Histograms;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class RoundWordsTest {
  private static Arm arm(String name) {
    return new Arm(name, "", Arm.Mode.OFF, Map.of(), false);
  }

  private static Histogram of(long ms) {
    Histogram nanos = Histograms.create();
    Histograms.record(nanos, ms * 1_000_000);
    return nanos;
  }

  @Test
  void oneLineInTheOrderOfTheFile() {
    Map<String, Histogram> round = new LinkedHashMap<>();
    round.put("manx", of(13));
    round.put("stock", of(469));
    round.put("silent", Histograms.create());
    assertThat(
            RoundWords.of(
                "round 1 of 8", 61, List.of(arm("stock"), arm("silent"), arm("manx")), round))
        .isEqualTo("round 1 of 8, 61 s: stock P50 469 ms P99 469 ms; manx P50 13.0 ms P99 13.0 ms");
  }

  @Test
  void manyArmsAreCutShort() {
    List<Arm> arms = IntStream.range(0, 20).mapToObj(i -> arm("a" + i)).toList();
    Map<String, Histogram> round = new LinkedHashMap<>();
    arms.forEach(arm -> round.put(arm.name(), of(1)));
    assertThat(RoundWords.of("round 1 of 8", 61, arms, round))
        .contains("a4 P50")
        .doesNotContain("a5 P50")
        .endsWith("; ...");
  }
}
