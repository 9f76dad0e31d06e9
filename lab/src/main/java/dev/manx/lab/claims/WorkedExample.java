/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.stats.Estimate;
import dev.manx.simulator.ModelSpec;
import dev.manx.simulator.Outcome;
import dev.manx.simulator.RunSpec;
import dev.manx.simulator.Simulation;
import dev.manx.simulator.source.ListedSpec;
import dev.manx.simulator.source.ListedSpec.ListedRead;
import dev.manx.workload.Arrivals;
import dev.manx.workload.RequestClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A paper's example with a few requests, played by the simulator with the usual policies. All
 * requests arrive before the first read starts; a server serves one read at a time, messages take
 * no time, costs are known. Times are in the example's unit.
 *
 * @param servers number of servers
 * @param requests each a list of reads in the order of the example
 * @param figures figures by name
 */
record WorkedExample(int servers, List<List<Part>> requests, Map<String, Shown> figures) {
  /**
   * A read.
   *
   * @param server number of its server, from 1
   * @param units its service time
   */
  record Part(int server, int units) {}

  /** The measured number of a played example. */
  enum Of {
    /** Mean response time of the requests. */
    MEAN,
    /** End of the first request. */
    FIRST,
    /** End of the last request. */
    LAST
  }

  /**
   * A number of the example under a strategy.
   *
   * @param document YAML whose only key is {@code strategy}
   */
  record Shown(String document, Of of) {}

  /** One unit of time, as the size of a value whose every byte takes a nanosecond. */
  private static final int UNIT_BYTES = 1_000_000;

  /**
   * A first read on each server ends when all requests have arrived, a nanosecond apart, so that
   * orders choose among all of them, as in an example computed by hand.
   */
  private static final int OPENING_BYTES = 1_000;

  private static final double PER_HUNDREDTH = 100;

  /** The numbers of the example, by name. */
  Map<String, Figure> play() {
    Map<String, Outcome> played = new LinkedHashMap<>();
    Map<String, Figure> numbers = new LinkedHashMap<>();
    figures.forEach(
        (name, shown) -> {
          Outcome outcome = played.computeIfAbsent(shown.document(), this::play);
          double nanos =
              switch (shown.of()) {
                case MEAN -> outcome.all().meanNanos();
                case FIRST -> outcome.all().nanos().getMinNonZeroValue();
                case LAST -> outcome.all().nanos().getMaxValue();
              };
          // The opening and the histogram's three digits add less than a hundredth of a unit.
          double units = Math.rint(nanos / UNIT_BYTES * PER_HUNDREDTH) / PER_HUNDREDTH;
          numbers.put(name, new Figure(new Estimate(units, units, units, Integer.MAX_VALUE), ""));
        });
    return numbers;
  }

  private Outcome play(String document) {
    List<List<ListedRead>> listed = new ArrayList<>();
    List<ListedRead> opening = new ArrayList<>();
    for (int server = 0; server < servers; server++) {
      opening.add(new ListedRead(server, OPENING_BYTES));
    }
    listed.add(opening);
    for (List<Part> request : requests) {
      listed.add(
          request.stream()
              .map(part -> new ListedRead(part.server() - 1, part.units() * UNIT_BYTES))
              .toList());
    }
    Outcome outcome = new Simulation(model(), new ListedSpec(listed), document, run(listed)).run();
    if (!outcome.sound()) {
      throw new IllegalStateException("a checker fails on a worked example: " + outcome.checks());
    }
    return outcome;
  }

  private ModelSpec model() {
    return new ModelSpec(
        servers,
        1,
        1,
        1,
        1,
        new ModelSpec.Network(0, 0, 0),
        new ModelSpec.Service(0, 1, ModelSpec.Scatter.NONE, 1),
        ModelSpec.Speeds.EVEN,
        Optional.empty(),
        new ModelSpec.Feedback(0, 1),
        new ModelSpec.Forecasts(ModelSpec.Knowledge.EXACT, 0, 1, 0, 1),
        ModelSpec.Cpu.FREE,
        List.of(),
        3_600_000_000_000L);
  }

  /** The opening is the warm-up and is not measured. */
  private static RunSpec run(List<List<ListedRead>> listed) {
    return new RunSpec(
        1e9,
        Arrivals.FIXED,
        listed.size(),
        1.0 / listed.size(),
        1,
        List.of(RequestClass.ALL),
        1,
        0,
        0);
  }
}
