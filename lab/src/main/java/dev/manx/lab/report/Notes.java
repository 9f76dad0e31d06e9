/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.PairedComparison;
import java.util.ArrayList;
import java.util.List;

/** "How this was measured": what a careful reader would ask, answered from the run's own files. */
final class Notes {
  private Notes() {}

  static String html(ReportData data) {
    Html html = new Html().open("ul", "class", "notes");
    for (String[] note : notes(data)) {
      html.open("li").element("strong", note[0] + " ").text(note[1]).close("li");
    }
    return html.close("ul").toString();
  }

  private static List<String[]> notes(ReportData data) {
    List<String[]> notes = new ArrayList<>();
    notes.addAll(
        switch (data.about().on()) {
          case CLUSTER -> List.of(openLoop("read"), roundsOnNodes());
          case SIMULATOR -> simulated();
          case CACHE -> cache();
          case CACHE_LIVE -> List.of(openLoop("query"), roundsBeforeBackends());
          case THREADS -> squeezed();
          case UNKNOWN -> List.<String[]>of(unknown());
        });
    notes.add(
        note(
            "Intervals.",
            "A latency or throughput is the median over rounds of each round's own value. The"
                + " interval below it is the 95 % percentile-bootstrap interval of that median ("
                + Format.count(Bootstrap.RESAMPLES)
                + " resamples of whole rounds, fixed seed). The percentile curve alone is of all"
                + " rounds' requests together."));
    notes.add(
        note(
            "Verdicts.",
            "Each round gives one ratio arm / "
                + data.baseline()
                + "; the verdict rests on the 95 % interval of the median ratio. If it holds 1, the"
                + " report says no difference. With fewer than "
                + PairedComparison.MIN_ROUNDS
                + " rounds it says nothing, and where less than one request of a round lies beyond a"
                + " percentile, it says too few requests. An arm that was more than 85 % utilised, or whose backlog"
                + " grew, is saturated and not compared. Intervals are not corrected for the number"
                + " of comparisons: of twenty with no difference behind them, expect about one that"
                + " shows one."));
    On on = data.about().on();
    if (data.arms().contains("stock") && (on == On.CLUSTER || on == On.SIMULATOR)) {
      notes.add(
          note(
              "stock",
              "is the engine as it is shipped, with the hooks of Manx taken out of the path, sent"
                  + " the same statements as the other arms unless its entry in the experiment says"
                  + " otherwise."));
    }
    if (data.about().serviceModel()) {
      notes.add(
          note(
              "Service time is a model.",
              "To be measured on a small machine, each read of a node sleeps for a modelled time"
                  + " that depends on the value's size, while it holds the node's read thread. Queues,"
                  + " threads, messages and decisions are the engine's own; the storage's speed is"
                  + " not. Wanted and actual sleep stand among the metrics."));
    }
    if (on == On.CLUSTER || on == On.CACHE_LIVE) {
      notes.add(
          note(
              "Correctness.",
              (on == On.CLUSTER
                      ? "Every value carries its key, a version and a checksum, and every row that comes"
                          + " back is"
                      : "Every value carries its key and a checksum, and every answer is")
                  + " verified; the column wrong counts rows that were wrong, missing or twice."));
    }
    if (data.timelineRowsLeftOut() > 0) {
      notes.add(
          note(
              "Timelines.",
              Format.count(data.timelineRowsLeftOut())
                  + " rows of timeline.csv are not drawn: rounds that do not fit into a page, and"
                  + " points between others; the file has them all."));
    }
    return notes;
  }

  private static String[] openLoop(String last) {
    return note(
        "Open loop.",
        "Requests are sent at times fixed beforehand, whether or not earlier ones have been"
            + " answered, and a request's latency counts from its intended start to the answer"
            + " of its last "
            + last
            + ". A stall is therefore paid by every request that should have"
            + " started during it. How late the generator itself was is the schedule lag among"
            + " the metrics.");
  }

  private static String[] roundsOnNodes() {
    return note(
        "Rounds.",
        "All arms run in every round, one after the other in random order, on the same nodes"
            + " with the same data and the same sequence of requests. After each switch a"
            + " warm-up is discarded. Drift of the machine then hits all arms alike, and arms"
            + " are compared inside rounds only.");
  }

  private static String[] roundsBeforeBackends() {
    return note(
        "Rounds.",
        "All arms run in every round, one after the other in random order, before the same backends"
            + " with the same sequence of requests. Each arm keeps its cache, and what it has learnt,"
            + " from round to round; after each switch a warm-up is discarded. Arms are compared"
            + " inside rounds only.");
  }

  private static List<String[]> cache() {
    return List.of(
        note(
            "Simulated.",
            "Application servers, caches and backends are a model in virtual time; the share policies"
                + " and the controller are the objects that the client library runs. A request's"
                + " latency counts from its arrival to the answer of its slowest query. Caches and"
                + " durations were compressed by the experiment's scale; all that is shown here is"
                + " uncompressed. What the checkers said of every run stands under the environment."),
        note(
            "Rounds.",
            "A round is a seed: all arms of it get the same sequence of requests in the same"
                + " scenario, so arms are compared inside rounds only. The same file gives the same"
                + " numbers, bit for bit."));
  }

  private static String[] unknown() {
    return note(
        "Unknown kind.",
        "The experiment file does not say what it ran on, or names a kind that this version of Manx"
            + " does not know. So this page cannot say how latency was measured here.");
  }

  private static List<String[]> squeezed() {
    return List.of(
        note(
            "Threads of one process.",
            "Each class is a case: unrestricted on all cores, pinned to few, pinned with some threads'"
                + " priority raised in the marked window, or throughout. In an open loop an operation's"
                + " latency counts from the moment that it was meant to start; one that the window's end"
                + " found waiting counts as an error and with the time that it had waited."),
        note(
            "Rounds.",
            "Each round runs every case, and in each case its arms one after the other in random order,"
                + " each in a fresh process with the same arrivals. CPU time that others used meanwhile"
                + " stands among the metrics, and noisy marks rounds in which it was too much."));
  }

  private static List<String[]> simulated() {
    return List.of(
        note(
            "Simulated.",
            "Nodes, network and service are a model in virtual time; the policies are the objects"
                + " that run in Cassandra. Requests arrive at times fixed beforehand, and a request's"
                + " latency counts from its arrival to the answer of its last read. What the checkers"
                + " said of every run stands under the environment."),
        note(
            "Rounds.",
            "A round is a seed: all arms of it see the same requests at the same times with the same"
                + " service times, so arms are compared inside rounds only. The same file gives the"
                + " same numbers, bit for bit."));
  }

  private static String[] note(String head, String text) {
    return new String[] {head, text};
  }
}
