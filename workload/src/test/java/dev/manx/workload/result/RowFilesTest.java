/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowFilesTest {
  private static final String CHARACTERS = "ab,\"\n\r %;=é_";

  @TempDir Path directory;

  @Test
  void headersAreThoseOfTheDesign() {
    assertThat(SummaryRow.FORMAT.header())
        .isEqualTo(
            "experiment,arm,class,load,seed,round,count,errors,wrong,throughput_per_s,mean_us,"
                + "p50_us,p90_us,p95_us,p99_us,p999_us,max_us,p99_lo_us,p99_hi_us");
    assertThat(MetricRow.FORMAT.header())
        .isEqualTo("experiment,arm,class,load,seed,round,params,metric,value,lo,hi");
    assertThat(TimelineRow.FORMAT.header()).isEqualTo("arm,seed,round,t_s,entity,metric,value");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void rowsAreReadBackAsWritten(long seed) throws IOException {
    Random random = new Random(seed);
    List<SummaryRow> summaries = new ArrayList<>();
    List<MetricRow> metrics = new ArrayList<>();
    List<TimelineRow> timeline = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      summaries.add(summary(random));
      metrics.add(
          new MetricRow(
              key(random),
              random.nextBoolean() ? "" : text(random),
              text(random),
              number(random),
              Double.NaN,
              number(random)));
      timeline.add(
          new TimelineRow(
              text(random),
              text(random),
              text(random),
              -number(random),
              text(random),
              text(random),
              number(random)));
    }
    assertThat(throughFile(SummaryRow.FORMAT, summaries)).as("seed %d", seed).isEqualTo(summaries);
    assertThat(throughFile(MetricRow.FORMAT, metrics)).as("seed %d", seed).isEqualTo(metrics);
    assertThat(throughFile(TimelineRow.FORMAT, timeline)).as("seed %d", seed).isEqualTo(timeline);
  }

  @Test
  void aFileAppearsWhole() throws IOException {
    Path file = directory.resolve("timeline.csv");
    TimelineRow row = new TimelineRow("a", "1", "1", 0.5, "client", "outstanding", 3);
    try (RowWriter<TimelineRow> out = RowWriter.create(directory, TimelineRow.FORMAT)) {
      out.append(row);
      out.flush();
      assertThat(file).doesNotExist();
      assertThat(directory.resolve("timeline.csv.part"))
          .hasContent("arm,seed,round,t_s,entity,metric,value\na,1,1,0.5,client,outstanding,3\n");
    }
    assertThat(directory.resolve("timeline.csv.part")).doesNotExist();
    assertThat(RowReader.read(directory, TimelineRow.FORMAT)).containsExactly(row);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''| :1: expected the header 'arm,seed,round,t_s,entity,metric,value' but found 'nothing'",
        "arm,seed| :1: expected the header 'arm,seed,round,t_s,entity,metric,value' but found",
        "HEAD~a,1,1,0,c,m| :2: expected 7 fields but found 6",
        "HEAD~a,1,1,0,c,m,1,2| :2: expected 7 fields but found 8",
        "HEAD~a,1,1,0,c,m,1~a,1,1,x,c,m,1| :3: column 't_s': 'x' is not a finite number",
        "HEAD~a,1,1,0,c,m,NaN| :2: column 'value': 'NaN' is not a finite number",
        "HEAD~a,1,1,0,c,m,Infinity| :2: column 'value': 'Infinity' is not a finite number",
        "HEAD~a,1,1,0,c,m,| :2: column 'value' is empty",
        "HEAD~,1,1,0,c,m,1| :2: column 'arm' is empty",
        "HEAD~'\"a~b\"',1,1,0,c,m,1~a,1,1,x,c,m,1| :2: a quote inside",
        "HEAD~\"a~b\",1,1,0,c,m,1~a,1,1,x,c,m,1| :4: column 't_s': 'x' is not a finite number",
        "HEAD~\"a\"b,1,1,0,c,m,1| :2: a comma or line end must follow a quote",
        "HEAD~\"a,1,1,0,c,m,1| :2: a quote is never closed",
      })
  void badFilesAreRefusedWithFileAndLine(String content, String message) throws IOException {
    Path file = directory.resolve("timeline.csv");
    String text = content.replace("HEAD", TimelineRow.FORMAT.header()).replace('~', '\n');
    Files.writeString(file, text);
    assertThatThrownBy(() -> RowReader.read(directory, TimelineRow.FORMAT))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(file + message.strip());
  }

  @Test
  void countsAreNotNegativeNorFractions() throws IOException {
    for (String count : List.of("-1", "1.5", "")) {
      Files.writeString(
          directory.resolve("summary.csv"),
          SummaryRow.FORMAT.header() + "\r\ne,a,all,70%,1,1," + count + ",0,0,1,,,,,,,,,\r\n");
      assertThatThrownBy(() -> RowReader.read(directory, SummaryRow.FORMAT))
          .hasMessageContaining(
              "summary.csv:2: column 'count': '" + count + "' is not an integer of at least 0");
    }
  }

  /** A ratio with such a latency failed without a word about the file. */
  @Test
  void latenciesAreAboveZero() throws IOException {
    for (String latency : List.of("0", "-3", "0.0")) {
      Files.writeString(
          directory.resolve("summary.csv"),
          SummaryRow.FORMAT.header() + "\ne,a,all,70%,1,1,9,0,0,1,,,,," + latency + ",,,,\n");
      assertThatThrownBy(() -> RowReader.read(directory, SummaryRow.FORMAT))
          .isInstanceOf(SchemaException.class)
          .hasMessageContaining(
              "summary.csv:2: column 'p99_us': '" + latency + "' is not a latency above 0");
    }
  }

  @Test
  void anEmptyFirstFieldKeepsItsPlace() {
    String line = Csv.line(List.of("", "", "a,b"));
    assertThat(line).isEqualTo(",,\"a,b\"\n");
    assertThat(Csv.parse(directory, line).get(0).fields()).containsExactly("", "", "a,b");
  }

  @Test
  void infiniteResultsAreNotWritten() throws IOException {
    try (RowWriter<TimelineRow> out = RowWriter.create(directory, TimelineRow.FORMAT)) {
      TimelineRow row = new TimelineRow("a", "1", "1", 0, "c", "m", Double.POSITIVE_INFINITY);
      assertThatThrownBy(() -> out.append(row)).hasMessageContaining("must be finite");
    }
  }

  private <T> List<T> throughFile(RowFormat<T> format, List<T> rows) throws IOException {
    try (RowWriter<T> out = RowWriter.create(directory, format)) {
      for (T row : rows) {
        out.append(row);
      }
    }
    return RowReader.read(directory, format);
  }

  private static SummaryRow summary(Random random) {
    return new SummaryRow(
        key(random),
        random.nextInt(1000),
        random.nextLong(Long.MAX_VALUE),
        0,
        number(random),
        number(random),
        number(random),
        number(random),
        number(random),
        number(random),
        Double.NaN,
        number(random),
        Double.NaN,
        number(random));
  }

  private static RowKey key(Random random) {
    return new RowKey(
        text(random), text(random), text(random), text(random), text(random), text(random));
  }

  private static String text(Random random) {
    StringBuilder out = new StringBuilder();
    for (int i = 0, n = 1 + random.nextInt(8); i < n; i++) {
      out.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    return out.toString();
  }

  private static double number(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(1_000_000);
      case 1 -> random.nextDouble();
      case 2 -> random.nextDouble() * 1e-9;
      default -> random.nextDouble() * 1e18;
    };
  }
}
