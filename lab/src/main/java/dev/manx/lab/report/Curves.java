/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LoadTag;
import dev.manx.lab.report.ReportData.CurvePoint;
import dev.manx.workload.result.Histograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogReader;

/** Percentile curves from the histogram logs. */
final class Curves {
  /** Steps for each halving of the remainder: about 50 points up to P99.9. */
  private static final int TICKS_PER_HALF = 5;

  private static final double NANOS_PER_US = 1e3;

  private final Path directory;
  private final boolean manyLoads;

  Curves(Path directory, List<String> loads) {
    this.directory = directory;
    manyLoads = loads.size() > 1;
  }

  /** The curve of an arm and class at a load; empty without a log. */
  List<CurvePoint> points(String arm, String requestClass, String load) throws IOException {
    Path file = Histograms.logFile(directory, arm, requestClass);
    if (!Files.exists(file)) {
      return List.of();
    }
    Histogram sum = Histograms.create();
    try (HistogramLogReader log = new HistogramLogReader(file.toFile())) {
      for (EncodableHistogram next = log.nextIntervalHistogram();
          next != null;
          next = log.nextIntervalHistogram()) {
        if (!manyLoads || LoadTag.isOf(next.getTag(), load)) {
          sum.add((AbstractHistogram) next);
        }
      }
    }
    return points(sum);
  }

  private static List<CurvePoint> points(Histogram histogram) {
    List<CurvePoint> points = new ArrayList<>();
    for (HistogramIterationValue step : histogram.percentiles(TICKS_PER_HALF)) {
      // The last step is the maximum at 100 %, which a scale of nines cannot show.
      if (step.getPercentileLevelIteratedTo() < 100) {
        points.add(
            new CurvePoint(
                step.getPercentileLevelIteratedTo(), step.getValueIteratedTo() / NANOS_PER_US));
      }
    }
    return List.copyOf(points);
  }
}
