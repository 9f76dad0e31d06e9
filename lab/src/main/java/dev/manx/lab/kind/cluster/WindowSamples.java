/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The samples of a turn's window. After the window, requests are no longer sent while the last ones
 * are awaited, which takes longer in some arms than in others. So a sample of that time is not used
 * unless the window has too few samples. Confined to one thread at a time.
 */
final class WindowSamples {
  /** The allowed delay of the sample at the window's end, as a part of the window. */
  private static final int LATE = 100;

  private final long windowNanos;
  private final List<Taken> samples = new ArrayList<>();

  private record Taken(long sinceNanos, ProcessSample sample) {}

  /**
   * The time between two samples.
   *
   * @param sendingNanos the part of it that lies in the window
   */
  record Span(ProcessSample from, ProcessSample to, long sendingNanos) {
    double seconds() {
      return (to.atNanos() - from.atNanos()) / 1e9;
    }
  }

  WindowSamples(long windowNanos) {
    this.windowNanos = windowNanos;
  }

  /**
   * Adds a sample, after all earlier ones.
   *
   * @param sinceNanos since the window's start, at least 0
   */
  void add(long sinceNanos, ProcessSample sample) {
    samples.add(new Taken(sinceNanos, sample));
  }

  Optional<ProcessSample> last() {
    return samples.isEmpty()
        ? Optional.empty()
        : Optional.of(samples.get(samples.size() - 1).sample);
  }

  /**
   * The span from the first sample to the one at the window's end; empty with fewer than two
   * samples.
   */
  Optional<Span> span() {
    if (samples.size() < 2) {
      return Optional.empty();
    }
    int last = 1;
    while (last + 1 < samples.size()
        && samples.get(last).sinceNanos < windowNanos
        && samples.get(last + 1).sinceNanos <= windowNanos + windowNanos / LATE) {
      last++;
    }
    Taken from = samples.get(0);
    Taken to = samples.get(last);
    long nanos = to.sample.atNanos() - from.sample.atNanos();
    return Optional.of(
        new Span(
            from.sample, to.sample, Math.max(0, nanos - Math.max(0, to.sinceNanos - windowNanos))));
  }
}
