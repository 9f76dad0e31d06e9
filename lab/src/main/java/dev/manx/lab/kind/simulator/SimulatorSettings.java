/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.lab.experiment.ArmStrategy;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.kind.simulator.SourceReader.Described;
import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Quantity;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Units;
import dev.manx.simulator.ModelSpec;
import dev.manx.simulator.RunSpec;
import dev.manx.simulator.Simulation;
import dev.manx.simulator.kernel.Calendar;
import dev.manx.workload.RequestClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Model and requests of a simulated experiment, or of a point of its sweep.
 *
 * @param model the cluster
 * @param workload the requests
 * @param classes classes recorded in addition to {@code all}
 * @param loads loads, each played separately
 * @param requests of a run, warm-up included
 * @param warmUpShare share of requests for the warm-up
 * @param timelineNanos interval between its points; 0 for none
 */
record SimulatorSettings(
    ModelSpec model,
    Described workload,
    List<RequestClass> classes,
    List<Load> loads,
    long requests,
    double warmUpShare,
    long timelineNanos) {
  private static final long QUICK_REQUESTS = 12_000;

  /** With fewer requests, a closed loop is measured only at its start. */
  private static final long REQUESTS_PER_CLIENT = 10;

  private static final Quantity LOAD =
      new Quantity(
          List.of(
              Setting.rate("rate", 1, 1e-3, 1e9, "of requests"),
              Setting.share("share", 1, 0.001, 2, "of the modelled capacity")),
          "a share of the modelled capacity (70%) or a rate of requests (120/s)");

  static final Section SECTION =
      CommonSettings.top(
          SimulatorKind.ON,
          Section.of(
              CommonSettings.DESCRIPTION,
              Key.required(
                  "strategy",
                  ArmStrategy.SHAPE,
                  "as on a cluster; a file holds the mapping or the preset under the key"
                      + " `strategy`")),
          Key.required("model", ModelReader.SECTION, "the cluster"),
          Key.required("workload", SourceReader.SHAPE, "the requests"),
          CommonSettings.CLASSES,
          Key.required("loads", new Items(LOAD), "each is played separately"),
          CommonSettings.SEEDS,
          Key.required(
              Setting.whole(
                  "requests", 1, 1, 10_000_000_000L, "requests of a run, warm-up included")),
          Key.of(Setting.share("warm-up", 0.05, 0, 0.9, "share of the requests that is discarded")),
          Key.of(
              Setting.duration(
                  "timeline", "0", "0", "1h", "interval between the timeline's points; 0: none")),
          Key.optionalItems(
                  Setting.anyText(
                      "heat-map",
                      null,
                      "arms whose best in each column is the reference of the report's heat map"))
              .otherwise("the baseline"),
          CommonSettings.SWEEP,
          CommonSettings.PUBLISHED);

  /** Reads the keys, and adds derived values. */
  static SimulatorSettings read(ExperimentSource source, Part top) {
    Described workload = SourceReader.read(top.part("workload"), source.files());
    List<RequestClass> classes = CommonSettings.classes(top);
    CommonSettings.checkLoads(top, top.words("loads"), "load");
    top.put("classes", classes.stream().map(RequestClass::label).toList());
    SimulatorSettings full =
        new SimulatorSettings(
            ModelReader.read(top.part("model"), workload.source()),
            workload,
            classes,
            top.words("loads").stream().map(Load::of).toList(),
            top.number("requests"),
            top.real("warm-up"),
            top.number("timeline"));
    full.checkClients(top, source.choices());
    SimulatorSettings settings =
        full.with(source.choices().shortened("requests", full.requests, full.quickRequests()));
    long most = Simulation.mostRequests(workload.source());
    if (settings.requests > most) {
      throw top.node("requests")
          .refuse(
              String.format(
                  Locale.ROOT,
                  "at most %d: a run has at most %d events, some for each of its %.1f reads a request",
                  most,
                  Calendar.MOST_EVENTS,
                  workload.source().meanReads()));
    }
    top.put("requests", settings.requests);
    return settings;
  }

  /** These settings with a limited number of requests. */
  SimulatorSettings atMost(long most) {
    return with(Math.min(requests, most));
  }

  private SimulatorSettings with(long requestsOfRun) {
    return new SimulatorSettings(
        model, workload, classes, loads, requestsOfRun, warmUpShare, timelineNanos);
  }

  /** At most the requests of a quick run, which has as many clients as the whole one. */
  private long quickRequests() {
    long least =
        workload.thinkNanos() == 0
            ? 0
            : REQUESTS_PER_CLIENT
                * RunSpec.clients(requestsPerSecond(highest()), workload.thinkNanos());
    return Math.max(QUICK_REQUESTS, least);
  }

  /** Refuses a closed loop whose clients send only few requests each. */
  private void checkClients(Part top, Choices choices) {
    long think = workload.thinkNanos();
    double rate = requestsPerSecond(highest());
    long most = Math.max(1, requests / REQUESTS_PER_CLIENT);
    if (think == 0 || RunSpec.clients(rate, think) <= most) {
      return;
    }
    throw top.part("workload")
        .node("think")
        .refuse(
            "at most %s: more than %d clients at load %s%s would send fewer than %d of the %d"
                    .formatted(
                        Units.duration((long) (most / rate * 1e9)),
                        most,
                        highest().label(),
                        option(choices, "loads"),
                        REQUESTS_PER_CLIENT,
                        requests)
                + " requests%s each".formatted(option(choices, "requests")));
  }

  private Load highest() {
    return loads.stream().max(Comparator.comparingDouble(this::requestsPerSecond)).orElseThrow();
  }

  /** Requests per second of all coordinators at a load. */
  double requestsPerSecond(Load load) {
    return Double.isNaN(load.fraction())
        ? load.requestsPerSecond()
        : load.fraction()
            * model.capacityReadsPerSecond(workload.source().meanBytes())
            / workload.source().meanReads();
  }

  /**
   * Refuses a fault that would begin after the end of a run. A quick run may be too short for its
   * faults. The end of a closed loop is unknown.
   *
   * @param top the settings as read
   * @return a line for each fault that a quick run leaves out
   */
  List<String> leftOut(Part top, Choices choices, boolean quick) {
    List<String> lines = new ArrayList<>();
    Load highest = highest();
    long endNanos = endNanos(highest);
    for (Part fault : workload.thinkNanos() > 0 ? List.<Part>of() : faults(top)) {
      if (fault.number("from") < endNanos) {
        continue;
      }
      String end = Units.duration(endNanos);
      String run =
          "%d requests%s at load %s%s"
              .formatted(
                  requests, option(choices, "requests"), highest.label(), option(choices, "loads"));
      ConfigNode from = fault.node("from");
      if (!quick) {
        throw from.refuse("a time before %s, when the run ends: %s".formatted(end, run));
      }
      lines.add(
          "%s does not take place: it begins at %s, and this quick run ends at %s: %s"
              .formatted(fault.node().key(), from.text(), end, run));
    }
    return lines;
  }

  /**
   * The cluster at a load, without the faults that would begin after the end of a run: a fault that
   * is still to come must not count as a fault whose effect has not passed.
   */
  ModelSpec model(Load load) {
    if (workload.thinkNanos() > 0) {
      return model;
    }
    long endNanos = endNanos(load);
    return model.with(
        model.faults().stream().filter(fault -> fault.fromNanos() < endNanos).toList());
  }

  /** The expected end of a run that is not a closed loop. */
  private long endNanos(Load load) {
    return Math.round(requests / requestsPerSecond(load) * 1e9);
  }

  private static List<Part> faults(Part top) {
    return top.part("model").parts("faults");
  }

  /** The option that gave a setting, in words. */
  private static String option(Choices choices, String name) {
    if (choices.option(name).isPresent()) {
      return " (--" + name + ")";
    }
    return choices.settings().containsKey(name) ? " (--set " + name + ")" : "";
  }

  /** The run of a load and seed. */
  RunSpec run(Load load, long seed) {
    return new RunSpec(
        requestsPerSecond(load),
        workload.arrivals(),
        requests,
        warmUpShare,
        seed,
        classes,
        workload.narrowMaxReads(),
        timelineNanos,
        workload.thinkNanos());
  }
}
