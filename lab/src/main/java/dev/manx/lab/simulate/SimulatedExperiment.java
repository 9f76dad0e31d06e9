/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.simulate;

import dev.manx.lab.experiment.Load;
import dev.manx.simulator.ModelSpec;
import dev.manx.simulator.RunSpec;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.workload.Arrivals;
import dev.manx.workload.RequestClass;
import java.util.List;

/**
 * A simulated experiment, resolved: every setting has its value.
 *
 * @param name as it stands in the result files
 * @param baseline the arm the others are compared with
 * @param model the cluster
 * @param source the requests
 * @param arrivals how they follow each other
 * @param thinkNanos mean think time of a closed loop; 0 for open arrivals
 * @param narrowMaxReads the widest request of class narrow
 * @param classes recorded beside all
 * @param loads each played on its own
 * @param seeds each gives one sequence of requests, the same for all arms
 * @param requests of a run, warm-up included
 * @param warmUpShare of them
 * @param timelineNanos distance of its points; 0 for none
 * @param arms in the file's order
 * @param points of the sweep, each a variation of this experiment; empty without one
 * @param text of {@code experiment.yaml}
 */
record SimulatedExperiment(
    String name,
    String baseline,
    ModelSpec model,
    SourceSpec source,
    Arrivals arrivals,
    long thinkNanos,
    int narrowMaxReads,
    List<RequestClass> classes,
    List<Load> loads,
    List<Long> seeds,
    long requests,
    double warmUpShare,
    long timelineNanos,
    List<SimulatedArm> arms,
    List<Point> points,
    String text) {
  /**
   * One side of a comparison.
   *
   * @param name as it stands in every result file and legend
   * @param description for people
   * @param document its strategy, YAML whose only key is {@code strategy}
   */
  record SimulatedArm(String name, String description, String document) {}

  /**
   * A variation.
   *
   * @param params as in {@code metrics.csv}: {@code name=value} joined by {@code ;}
   */
  record Point(String params, SimulatedExperiment experiment) {}

  /** Requests per second of all coordinators at a load. */
  double requestsPerSecond(Load load) {
    return Double.isNaN(load.fraction())
        ? load.requestsPerSecond()
        : load.fraction() * model.capacityReadsPerSecond(source.meanBytes()) / source.meanReads();
  }

  /** How a load and seed are played. */
  RunSpec run(Load load, long seed) {
    return new RunSpec(
        requestsPerSecond(load),
        arrivals,
        requests,
        warmUpShare,
        seed,
        classes,
        narrowMaxReads,
        timelineNanos,
        thinkNanos);
  }
}
