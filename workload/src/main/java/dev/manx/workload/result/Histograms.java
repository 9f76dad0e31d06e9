/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The histogram settings of all of Manx: nanoseconds, 1 us to 10 min, three significant digits; and
 * its log files {@code <arm>-<class>.hlog}, whose maximum column is in milliseconds.
 */
public final class Histograms {
  /** Smaller values are recorded as this one. */
  public static final long LOWEST_NANOS = 1_000;

  /** Larger values are recorded as this one. */
  public static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Significant decimal digits. */
  public static final int DIGITS = 3;

  private static final double NANOS_PER_MILLI = 1e6;

  private Histograms() {}

  /** An empty histogram for one thread. */
  public static Histogram create() {
    return new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
  }

  /** An empty histogram for recording by many threads. */
  public static Histogram createConcurrent() {
    return new ConcurrentHistogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
  }

  /** Records a duration, limited to the histogram's range. */
  public static void record(Histogram histogram, long nanos) {
    histogram.recordValue(Math.max(0, Math.min(HIGHEST_NANOS, nanos)));
  }

  /** A percentile (0..100) in microseconds to the nanosecond; NaN for an empty histogram. */
  public static double percentileUs(AbstractHistogram nanos, double percentile) {
    return nanos.getTotalCount() == 0
        ? Double.NaN
        : round(nanos.getValueAtPercentile(percentile) / 1e3);
  }

  /** The log file of an arm and class; characters invalid in a file name become _. */
  public static Path logFile(Path directory, String arm, String requestClass) {
    return directory.resolve(safe(arm) + "-" + safe(requestClass) + ".hlog");
  }

  /** Opens a log; rows follow by {@link Log#append}. */
  public static Log log(Path file, String comment) throws IOException {
    return new Log(file, comment);
  }

  /** The sum of all histograms of a log file. */
  public static Histogram readLog(Path file) throws IOException {
    Histogram sum = create();
    try (HistogramLogReader in = new HistogramLogReader(file.toFile())) {
      for (EncodableHistogram next = in.nextIntervalHistogram();
          next != null;
          next = in.nextIntervalHistogram()) {
        sum.add((AbstractHistogram) next);
      }
    }
    return sum;
  }

  /** Microseconds rounded to the nanosecond. */
  static double round(double us) {
    return Math.round(us * 1e3) / 1e3;
  }

  private static String safe(String name) {
    return name.replaceAll("[^A-Za-z0-9._+-]", "_");
  }

  /** A log file being written, one histogram per line. Confined to one thread. */
  public static final class Log implements Closeable {
    private final Path path;
    private final PrintStream file;
    private final HistogramLogWriter out;

    private Log(Path path, String comment) throws IOException {
      this.path = path;
      // A stream of our own, since only it says whether a write has failed.
      file = new PrintStream(Files.newOutputStream(path), false, StandardCharsets.UTF_8);
      out = new HistogramLogWriter(file);
      out.outputComment(comment.replace('\n', ' '));
      out.outputLogFormatVersion();
      out.outputLegend();
    }

    /**
     * Appends one histogram.
     *
     * @param tag names the line, for example {@code s1r3}; no comma, space or line break
     * @param startSeconds start of its window since the experiment's start
     * @param endSeconds end of its window
     */
    public void append(String tag, double startSeconds, double endSeconds, Histogram nanos) {
      Histogram copy = nanos.copy();
      copy.setTag(tag);
      out.outputIntervalHistogram(startSeconds, endSeconds, copy, NANOS_PER_MILLI);
    }

    /**
     * Closes the file.
     *
     * @throws IOException if not all of it could be written, for example to a full disk
     */
    @Override
    public void close() throws IOException {
      boolean failed = file.checkError();
      out.close();
      if (failed || file.checkError()) {
        throw new IOException("cannot write all of " + path + "; is its disk full?");
      }
    }
  }
}
