/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.settings.YamlText;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A file read by its kind, as a whole or with the settings of a point of its sweep.
 *
 * @param points conditions to measure
 * @param written the resolved file
 */
public record SweptFile<S, P>(
    Head head, Quiet quiet, List<Point<S, P>> points, Map<String, Object> written) {
  /**
   * Reads the file as a whole, and adds the points of its sweep.
   *
   * @param without choices that are not settings of this kind
   * @param read reads the file with the settings of a point
   * @throws dev.manx.policy.config.ConfigException if a point changes a setting of the whole run
   */
  public static <S, P> SweptFile<S, P> of(
      ExperimentSource source, List<String> without, Function<SweepPoint, SweptFile<S, P>> read) {
    SweptFile<S, P> whole = read.apply(SweepPoint.NONE);
    List<Point<S, P>> points = new ArrayList<>(whole.points);
    ConfigNode top = source.top(without, Map.of());
    for (SweepPoint one : SweepPoint.of(top)) {
      SweptFile<S, P> swept = read.apply(one);
      // The mark applies to the whole file, although a point may have other rounds.
      Head head = swept.head.marked(whole.head.quick());
      if (!head.equals(whole.head) || !swept.quiet.equals(whole.quiet)) {
        throw top.at("sweep")
            .refuse(
                "other settings than those of '%s', which are the same in the whole run: seeds,"
                        .formatted(one.params())
                    + " baseline, bounds, quiet and the words about the experiment");
      }
      points.addAll(swept.points);
    }
    return new SweptFile<>(whole.head, whole.quiet, points, whole.written);
  }

  /** The experiment of the file. */
  public Experiment<S, P> experiment(
      Experiment.Order order, String effort, Experiment.Stage<S, P> stage) {
    return new Experiment<>(head, points, order, quiet, effort, YamlText.of(written), stage);
  }
}
