/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.policy.record.Executed;
import dev.manx.policy.record.RequestEnd;
import dev.manx.simulator.recorded.ArrivalShape;
import dev.manx.simulator.recorded.ArrivalTimes;
import dev.manx.simulator.recorded.NodeRecord;
import dev.manx.simulator.recorded.Recording;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The properties of a recording that the model does not have, in sentences. */
final class Doubts {
  private static final double WIDEST = 0.2;
  private static final double MOST_LOST = 0.01;
  private static final double MOST_OTHERS = 0.1;
  private static final double MOST_FAILED = 0.01;
  private static final double MOST_UNPLANNED = 0.01;
  private static final double MOST_BUSIER = 1.1;
  private static final double MOST_CORES_BUSY = 0.7;
  private static final double MOST_CHANGE = 0.25;
  private static final int FEWEST_FOR_CHANGE = 200;
  private static final Duration MOST_SKEW = Duration.ofMinutes(1);

  private final Recording recording;
  private final ClusterModel model;
  private final ArrivalShape shape;
  private final List<String> doubts = new ArrayList<>();
  private final List<String> grave = new ArrayList<>();

  private Doubts(ClusterModel model) {
    this.model = model;
    shape = model.shape();
    recording = model.recording();
  }

  static Doubts of(ClusterModel model) {
    Doubts doubts = new Doubts(model);
    doubts.recording();
    doubts.arrivals();
    doubts.grave.addAll(unfit(doubts.recording, doubts.shape));
    doubts.unplanned();
    doubts.failures();
    doubts.busy();
    RecordedForecasts.missing(doubts.recording).ifPresent(doubts.doubts::add);
    doubts.reads();
    doubts.cores();
    return doubts;
  }

  List<String> all() {
    List<String> all = new ArrayList<>(grave);
    all.addAll(doubts);
    return all;
  }

  /** The doubts that exclude advice. */
  List<String> grave() {
    return List.copyOf(grave);
  }

  private void recording() {
    List<String> without = new ArrayList<>(recording.nodes());
    recording.logs().forEach(log -> without.remove(log.name()));
    if (!without.isEmpty()) {
      refuse(
          "no log of %s: their requests are not known, and the model gives them to the other nodes",
          String.join(", ", without));
    }
    together();
    cut();
    sampledReads();
    for (NodeRecord log : recording.logs()) {
      if (log.lostShare() > MOST_LOST) {
        say("the log of %s lacks %d lines; record a smaller share", log.name(), log.lines().lost());
      }
      double change = change(log);
      if (change > MOST_CHANGE) {
        say(
            "the load of %s changed by %.0f %% while it was recorded; %s",
            log.name(),
            100 * change,
            shape.times() == ArrivalTimes.RECORDED
                ? "the model plays parts of the recording in random order"
                : "the model's is constant");
      }
    }
  }

  private void arrivals() {
    if (shape.times() == ArrivalTimes.RECORDED && !shape.together()) {
      say(
          "%s, so bursts at several nodes at once are smaller in the model",
          recording.logs().stream().allMatch(log -> log.epochNanos().isPresent())
              ? "the logs cover different times: each node's requests are played on their own"
              : "the logs do not show which requests of different nodes arrived at the same time");
    } else if (!shape.isWhole()
        && shape.deviation().filter(scale -> shape.indexOfAll(scale) > 1).isPresent()) {
      say(
          "the model has no bursts; to have them played, record all requests, if need be for a"
              + " shorter time, with calm-after 0s");
    }
  }

  /** Refuses logs of different times, whose loads would otherwise be added up. */
  private void together() {
    List<NodeRecord> dated =
        recording.logs().stream().filter(log -> log.started().isPresent()).toList();
    if (dated.isEmpty()) {
      return;
    }
    NodeRecord first =
        Collections.min(dated, Comparator.comparing(log -> log.ended().orElseThrow()));
    NodeRecord last =
        Collections.max(dated, Comparator.comparing(log -> log.started().orElseThrow()));
    if (last.started().orElseThrow().isAfter(first.ended().orElseThrow().plus(MOST_SKEW))) {
      refuse(
          "the logs were not recorded at the same time: that of %s ended at %s, and that of %s began"
              + " at %s",
          first.name(),
          first.ended().orElseThrow().truncatedTo(ChronoUnit.SECONDS),
          last.name(),
          last.started().orElseThrow());
    }
  }

  /** Adds a doubt for each log that was cut. */
  private void cut() {
    for (NodeRecord log : recording.logs()) {
      if (!log.lines().whole()) {
        double early = secondsBeforeOthers(log);
        say(
            "the log of %s ends without its last line (restart or crash)%s",
            log.name(),
            early < 1 ? "" : String.format(Locale.ROOT, " %.0f s before the others", early));
      }
    }
  }

  /** Seconds from the end of a log to the last end of the others; 0 if unknown. */
  private double secondsBeforeOthers(NodeRecord log) {
    return recording.logs().stream()
        .filter(other -> other != log)
        .mapToDouble(other -> secondsBetween(log, other))
        .max()
        .orElse(0);
  }

  private static double secondsBetween(NodeRecord first, NodeRecord last) {
    if (first.epochNanos().isPresent() && last.epochNanos().isPresent()) {
      return (last.endedNanos() - first.endedNanos()) / 1e9;
    }
    return first.ended().isPresent() && last.ended().isPresent()
        ? Duration.between(first.ended().get(), last.ended().get()).toMillis() / 1e3
        : 0;
  }

  /**
   * Warns about logs without {@code requests}, which contain all reads that waited but only a small
   * sample of the others.
   */
  private void sampledReads() {
    List<String> names =
        recording.logs().stream()
            .filter(log -> !log.lines().requestsOnly())
            .map(NodeRecord::name)
            .toList();
    if (!names.isEmpty()) {
      say(
          "recorded without `requests`: %s; most reads that did not wait are not in such a log, so the"
              + " service times and the load of the read threads may be wrong"
              + " (./manx ctl record requests)",
          String.join(", ", names));
    }
  }

  private void unplanned() {
    double share = recording.unplannedShare();
    if (share >= MOST_UNPLANNED) {
      say(
          "%.1f %% of the requests are of kinds that Manx does not plan, such as aggregates; their"
              + " latencies are not compared, and the model has none of them",
          100 * share);
    }
  }

  /** The doubts that exclude advice whatever the model; nothing need be simulated then. */
  static List<String> unfit(Recording recording, ArrivalShape shape) {
    return Stream.of(few(recording, shape), remote(recording)).flatMap(Optional::stream).toList();
  }

  private static Optional<String> remote(Recording recording) {
    double share = recording.remoteShare();
    return share < Recording.MOST_REMOTE
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%.0f %% of the reads have replicas in several datacenters; the model does not keep"
                    + " them apart (record at LOCAL_ONE or LOCAL_QUORUM)",
                100 * share));
  }

  /**
   * A doubt if the requests are too few, whatever the model. If the model plays the recorded
   * arrivals, its requests wait in the same queues as the measured ones, and only what is
   * independent of these queues is left to chance.
   */
  private static Optional<String> few(Recording recording, ArrivalShape shape) {
    MeasuredLatencies measured = MeasuredLatencies.of(recording);
    boolean paired = shape.compared() == ArrivalTimes.RECORDED && shape.together();
    return !measured.isEmpty()
            && !(paired ? measured.independent(0.99) : measured.interval(0.99))
                .isWiderThan(WIDEST, measured.latencies().p99())
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%d requests are too few: the measured P99 is not known to within %.0f %%; record"
                    + " for longer, or a larger share",
                measured.requests(),
                100 * WIDEST));
  }

  private void failures() {
    double received = 0;
    double failed = 0;
    for (NodeRecord log : recording.logs()) {
      for (RequestEnd end : log.ends()) {
        received += end.weight() * log.rateOfAnEnd();
        failed += end.failed() ? end.weight() * log.rateOfAnEnd() : 0;
      }
    }
    if (failed >= MOST_FAILED * received) {
      say(
          "%.1f %% of the requests failed; their latencies are not compared, and in the model none"
              + " fails",
          100 * failed / received);
    }
  }

  /**
   * Reads of coordinators whose logs the recording lacks, or planned reads that the nodes did not
   * execute, or other service times than those of the model.
   */
  private void busy() {
    double inModel = model.utilisation();
    double recorded =
        ReadThreads.of(recording, model.readThreads()).map(ReadThreads::busy).orElse(inModel);
    String both =
        String.format(
            Locale.ROOT,
            "read threads were %.0f %% busy, but those of the model are %.0f %% busy: ",
            100 * recorded,
            100 * inModel);
    if (recorded > MOST_BUSIER * inModel) {
      say(
          "%sthey also served reads that are in no log of a coordinator, for example for clients of"
              + " another datacenter, of multigets that stay paged with Manx, or range and index"
              + " reads; the model has none of them",
          both);
    } else if (inModel > MOST_BUSIER * recorded) {
      say(
          "%sits reads take longer, or are more, than those that the nodes executed, so it waits"
              + " more than the cluster",
          both);
    }
  }

  /** Relative difference between the requests in the two halves of a log; 0 if it has few. */
  private static double change(NodeRecord log) {
    List<RequestEnd> ends = log.ends();
    if (ends.size() < FEWEST_FOR_CHANGE) {
      return 0;
    }
    long first = ends.get(0).nowNanos();
    long middle = first + (ends.get(ends.size() - 1).nowNanos() - first) / 2;
    double early =
        ends.stream().filter(e -> e.nowNanos() <= middle).mapToLong(RequestEnd::weight).sum();
    double late = ends.stream().mapToLong(RequestEnd::weight).sum() - early;
    return Math.abs(late - early) / Math.max(early, late);
  }

  private void reads() {
    double remote = recording.remoteShare();
    if (remote > 0 && remote < Recording.MOST_REMOTE) {
      say(
          "%.2g %% of the reads have replicas in several datacenters; their requests are left out",
          100 * remote);
    }
    double others = 0;
    double all = 0;
    for (NodeRecord log : recording.logs()) {
      for (Executed read : log.executed()) {
        all += read.serviceNanos();
        others += read.single() ? 0 : read.serviceNanos();
      }
    }
    if (others > MOST_OTHERS * all) {
      say(
          "range reads, index reads and failures took %.0f %% of the time that reads took; the model"
              + " has none of them",
          100 * others / all);
    }
  }

  private void cores() {
    int cores =
        recording.logs().stream().mapToInt(NodeRecord::cores).filter(n -> n > 0).min().orElse(0);
    double busy = model.utilisation() * model.readThreads();
    if (cores > 0 && cores < model.readThreads() && busy > MOST_CORES_BUSY * cores) {
      say(
          "%.1f reads were executed at a time on nodes with %d cores: they wait for cores, which the"
              + " model does not have",
          busy, cores);
    }
  }

  private void refuse(String format, Object... values) {
    grave.add(String.format(Locale.ROOT, format, values));
  }

  private void say(String format, Object... values) {
    doubts.add(String.format(Locale.ROOT, format, values));
  }
}
