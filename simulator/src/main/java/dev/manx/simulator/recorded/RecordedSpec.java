/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import dev.manx.policy.record.PlanPaging;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import dev.manx.simulator.source.Draw;
import dev.manx.simulator.source.Source;
import dev.manx.simulator.source.SourceSpec;
import java.util.List;
import java.util.Locale;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Recorded requests. With Poisson arrivals they are drawn with replacement: a coordinator by its
 * rate, then one of its requests. With the recorded arrivals they are drawn in {@link Blocks}, at
 * random unless they are {@link #spread}. So a run may be longer than the recording, and two seeds
 * differ. A read keeps its key, replicas, size and forecast; its service time at each replica that
 * it asks is the forecast times a factor drawn from those recorded for such forecasts.
 */
public final class RecordedSpec implements SourceSpec {
  private final Recording recording;
  private final RecordedRequest[][] requests;
  private final double[] upTo;
  private final ServiceFactors factors;
  private final int largeFromBytes;
  private final List<Timeline> lines;
  private final boolean spread;

  /**
   * Creates a source of recorded requests.
   *
   * @param largeFromBytes values from this size on are large
   * @throws IllegalArgumentException if no log has an executed read, or the recorded times are
   *     requested but unknown
   */
  public RecordedSpec(Recording recording, int largeFromBytes, ArrivalTimes times) {
    this.recording = recording;
    if (times == ArrivalTimes.RECORDED && recording.plannedShare() < ArrivalShape.WHOLE) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the logs contain %.1f %% of the requests; from %.0f %% on their times can be played",
              Math.floor(1_000 * recording.plannedShare()) / 10,
              100 * ArrivalShape.WHOLE));
    }
    lines = times == ArrivalTimes.RECORDED ? Timeline.of(recording) : List.of();
    spread = false;
    this.largeFromBytes = largeFromBytes;
    List<NodeRecord> logs =
        recording.logs().stream().filter(log -> !of(recording, log.node()).isEmpty()).toList();
    requests = new RecordedRequest[logs.size()][];
    upTo = new double[logs.size()];
    double sum = 0;
    for (int i = 0; i < requests.length; i++) {
      requests[i] = of(recording, logs.get(i).node()).toArray(RecordedRequest[]::new);
      sum += logs.get(i).requestsPerSecond();
      upTo[i] = sum;
    }
    factors = new ServiceFactors(recording);
  }

  private RecordedSpec(RecordedSpec other) {
    recording = other.recording;
    requests = other.requests;
    upTo = other.upTo;
    factors = other.factors;
    largeFromBytes = other.largeFromBytes;
    lines = other.lines;
    spread = true;
  }

  /**
   * The same requests; if they arrive at the recorded times, a run has parts of the whole
   * recording, and all of it if it is long enough. For comparisons with measurements made during
   * the recording.
   */
  public RecordedSpec spread() {
    return new RecordedSpec(this);
  }

  private static List<RecordedRequest> of(Recording recording, int coordinator) {
    return recording.requests().stream()
        .filter(request -> request.coordinator() == coordinator)
        .toList();
  }

  /** The recording to play. */
  public Recording recording() {
    return recording;
  }

  /** Mean service time of a read at speed 1. */
  public double meanServiceNanos() {
    return recording.meanOfExecutions(
        (request, read) -> factors.meanNanos(request.forecastNanos()[read]));
  }

  /**
   * Mean time that a request takes on the read threads of each node, if each read asks the first of
   * its replicas in their recorded order; 0 for nodes that are not asked.
   */
  public double[] busyNanos() {
    return recording.busyNanos(factors::meanNanos);
  }

  @Override
  public Source open(Streams streams, int nodes, long run) {
    UniformRandomProvider which = streams.sampler(Purpose.KEYS);
    UniformRandomProvider service = streams.sampler(Purpose.SERVICE);
    if (!lines.isEmpty()) {
      return new RecordedTimes(
          lines,
          streams.sampler(Purpose.ARRIVALS),
          spread,
          run,
          (request, draw) -> fill(draw, request, service));
    }
    return draw -> {
      double share = which.nextDouble() * upTo[upTo.length - 1];
      int log = 0;
      while (share >= upTo[log]) {
        log++;
      }
      fill(draw, requests[log][which.nextInt(requests[log].length)], service);
    };
  }

  private void fill(Draw draw, RecordedRequest request, UniformRandomProvider service) {
    draw.begin(request.coordinator(), request.paging() != PlanPaging.NONE);
    draw.staysPaged(request.paging() == PlanPaging.ALWAYS);
    for (int read = 0; read < request.reads(); read++) {
      long forecast = request.forecastNanos()[read];
      int bytes = request.bytes()[read];
      draw.add(
          request.hashes()[read],
          request.replicas()[read],
          bytes,
          bytes >= largeFromBytes,
          forecast,
          factors.draw(forecast, service));
      int contacts = request.contacts()[read];
      if (contacts > 1) {
        draw.asks(read, contacts);
        for (int rank = 1; rank < contacts; rank++) {
          draw.otherService(read, rank, factors.draw(forecast, service));
        }
      }
    }
  }

  @Override
  public double meanReads() {
    return recording.meanExecutions();
  }

  @Override
  public double meanBytes() {
    return recording.meanBytes();
  }

  @Override
  public int largeFromBytes() {
    return largeFromBytes;
  }
}
