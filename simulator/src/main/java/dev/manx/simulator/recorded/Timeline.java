/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Recorded requests of one or more coordinators in the order of their arrival.
 *
 * @param requests in the order of their arrival
 * @param atNanos their times, ascending, at least 0 and less than the span
 * @param spanNanos length of the line
 */
record Timeline(RecordedRequest[] requests, long[] atNanos, long spanNanos) {
  /**
   * Part of the requests that must lie in the time that all logs cover; the others are not played.
   */
  private static final double SHARED = 0.9;

  /** A request and its time. */
  private record At(RecordedRequest request, long nanos) {}

  /**
   * The lines of a recording: one line of all coordinators if their logs can be aligned, by the
   * clocks of the nodes, and most requests lie in the time that all of them cover; otherwise one
   * for each coordinator. Logs without requests do not matter.
   */
  static List<Timeline> of(Recording recording) {
    Set<Integer> coordinators =
        recording.requests().stream()
            .map(RecordedRequest::coordinator)
            .collect(Collectors.toUnmodifiableSet());
    List<NodeRecord> logs =
        recording.logs().stream().filter(log -> coordinators.contains(log.node())).toList();
    if (logs.isEmpty()) {
      return List.of();
    }
    if (logs.stream().allMatch(log -> log.epochNanos().isPresent())) {
      long from = logs.stream().mapToLong(NodeRecord::beganNanos).max().orElseThrow();
      long to = logs.stream().mapToLong(NodeRecord::endedNanos).min().orElseThrow();
      Timeline all = within(logs.stream().flatMap(log -> requests(recording, log)), from, to);
      if (all.requests.length > SHARED * recording.requests().size()) {
        return List.of(all);
      }
    }
    return logs.stream()
        .map(log -> within(requests(recording, log), log.beganNanos(), log.endedNanos()))
        .filter(line -> line.requests.length > 0)
        .toList();
  }

  /** The requests of a log. */
  private static Stream<At> requests(Recording recording, NodeRecord log) {
    return recording.requests().stream()
        .filter(request -> request.coordinator() == log.node())
        .map(request -> new At(request, request.atNanos() + log.epochNanos().orElse(0)));
  }

  private static Timeline within(Stream<At> requests, long from, long to) {
    List<At> line =
        requests
            .filter(at -> at.nanos >= from && at.nanos <= to)
            .sorted(Comparator.comparingLong(At::nanos))
            .toList();
    return new Timeline(
        line.stream().map(At::request).toArray(RecordedRequest[]::new),
        line.stream().mapToLong(at -> at.nanos - from).toArray(),
        to - from + 1);
  }

  /** Requests per nanosecond. */
  double rate() {
    return (double) requests.length / spanNanos;
  }
}
