/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.workload.result.Histograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Reads the files written by the driver. */
final class DriverOutput {
  private static final ObjectMapper JSON = new ObjectMapper();

  private DriverOutput() {}

  /**
   * Reads {@code summary.json}, {@code seconds.csv} and {@code latency.txt}.
   *
   * @throws EngineException if one of them is malformed
   */
  static RepetitionResult read(Path folder) throws IOException {
    try {
      JsonNode json = JSON.readTree(folder.resolve("summary.json").toFile());
      double window = number(json, "window_s");
      return new RepetitionResult(
          count(json, "count"),
          count(json, "answered"),
          count(json, "unfinished"),
          count(json, "failed"),
          count(json, "retries"),
          window,
          number(json, "session_cpu_s"),
          number(json, "boosted_from_s"),
          number(json, "boosted_to_s"),
          waits(json),
          text(json, "error"),
          text(json, "engine"),
          histogram(Files.readAllLines(folder.resolve("latency.txt"))),
          seconds(Files.readAllLines(folder.resolve("seconds.csv"))),
          new RepetitionResult.Noise(
              number(json, "foreign_cpu_s") / window,
              number(json, "steal_s") / window,
              number(json, "throttled_s") / window));
    } catch (RuntimeException e) {
      throw new EngineException("cannot parse the driver's results: " + e.getMessage(), e);
    }
  }

  private static Optional<RepetitionResult.Waits> waits(JsonNode json) {
    return json.has("waits")
        ? Optional.of(
            new RepetitionResult.Waits(
                count(json, "waits"),
                count(json, "wait_checks"),
                number(json, "wait_s"),
                count(json, "stalls")))
        : Optional.empty();
  }

  /**
   * Parses lines of a bucket's lowest value and its count. The driver's buckets equal those of
   * {@link Histograms#create()}, so each count is restored to its bucket.
   */
  static Histogram histogram(List<String> lines) {
    Histogram histogram = Histograms.create();
    for (String line : lines) {
      int space = line.indexOf(' ');
      histogram.recordValueWithCount(
          Long.parseLong(line.substring(0, space)), Long.parseLong(line.substring(space + 1)));
    }
    return histogram;
  }

  private static List<RepetitionResult.Second> seconds(List<String> lines) {
    List<RepetitionResult.Second> seconds = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] f = line.split(",", -1);
      seconds.add(
          new RepetitionResult.Second(
              Integer.parseInt(f[0]),
              Long.parseLong(f[1]),
              Long.parseLong(f[2]),
              Double.parseDouble(f[3]),
              Double.parseDouble(f[4]),
              Double.parseDouble(f[5]),
              Double.parseDouble(f[6]),
              Double.parseDouble(f[7])));
    }
    return seconds;
  }

  private static JsonNode field(JsonNode json, String name) {
    if (!json.has(name)) {
      throw new IllegalArgumentException("summary.json has no " + name);
    }
    return json.get(name);
  }

  private static long count(JsonNode json, String name) {
    return field(json, name).longValue();
  }

  private static double number(JsonNode json, String name) {
    return field(json, name).isNull() ? Double.NaN : field(json, name).doubleValue();
  }

  private static String text(JsonNode json, String name) {
    return field(json, name).textValue();
  }
}
