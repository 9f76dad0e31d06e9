/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import static dev.manx.lab.experiment.YamlText.nanos;
import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.lab.kind.contention.SqueezeCase.Squeeze;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code cases:}. */
final class CaseReader {
  private static final long MILLI = 1_000_000L;
  private static final long SHORTEST_NANOS = 300 * MILLI;
  private static final long LONGEST_NANOS = 600_000 * MILLI;
  private static final int QUICK_ROUNDS = 1;
  private static final long QUICK_MILLIS = 3_000;

  private final ConfigNode top;
  private final List<String> arms;
  private final int threads;
  private final boolean quick;
  private final boolean roundsChosen;

  /**
   * @param arms those that will run
   * @param threads of a case that names none
   * @param quick whether everything is to be short
   * @param roundsChosen whether the top's rounds hold for every case, whatever it says
   */
  CaseReader(ConfigNode top, List<String> arms, int threads, boolean quick, boolean roundsChosen) {
    this.top = top;
    this.arms = arms;
    this.threads = threads;
    this.quick = quick;
    this.roundsChosen = roundsChosen;
  }

  List<SqueezeCase> read() {
    int rounds = top.find("rounds").map(n -> (int) n.integer(1, 1000)).orElse(3);
    long window = window(top, 3_000 * MILLI);
    ConfigNode node = top.at("cases");
    List<SqueezeCase> cases = new ArrayList<>();
    for (Squeeze squeeze : Squeeze.values()) {
      if (node.find(squeeze.label()).isPresent()) {
        cases.add(read(node.at(squeeze.label()), squeeze, rounds, window));
      }
    }
    node.noOtherKeys();
    if (cases.isEmpty()) {
      throw node.refuse(
          "at least one of "
              + String.join(", ", Arrays.stream(Squeeze.values()).map(Squeeze::label).toList()));
    }
    return cases;
  }

  private SqueezeCase read(
      ConfigNode node, Squeeze squeeze, int standardRounds, long standardWindow) {
    int own = node.find("rounds").map(n -> (int) n.integer(1, 1000)).orElse(standardRounds);
    int rounds = roundsChosen ? standardRounds : own;
    long windowMillis = window(node, standardWindow) / MILLI;
    List<Integer> sessions =
        node.find("threads")
            .map(
                n ->
                    n.items().stream()
                        .map(i -> (int) i.integer(1, ContentionSettings.MOST_THREADS))
                        .toList())
            .orElse(List.of(threads));
    if (sessions.isEmpty() || sessions.stream().distinct().count() < sessions.size()) {
      throw node.at("threads").refuse("at least one number of sessions, each once");
    }
    List<String> measured = arms(node);
    node.noOtherKeys();
    if (quick) {
      rounds = Math.min(rounds, QUICK_ROUNDS);
      windowMillis = Math.min(windowMillis, QUICK_MILLIS);
    }
    return new SqueezeCase(squeeze, rounds, windowMillis, sessions, measured);
  }

  /** Of those that the file knows, those that will run. */
  private List<String> arms(ConfigNode node) {
    String[] known = top.at("arms").names().toArray(String[]::new);
    return node
        .find("arms")
        .map(n -> n.items().stream().map(item -> item.oneOf(known)).toList())
        .orElse(arms)
        .stream()
        .filter(arms::contains)
        .distinct()
        .toList();
  }

  /** The cases with every value in place, as they are read. */
  static Map<String, Object> written(List<SqueezeCase> cases) {
    Map<String, Object> out = new LinkedHashMap<>();
    for (SqueezeCase one : cases) {
      out.put(
          one.squeeze().label(),
          ordered(
              "rounds", one.rounds(),
              "window", nanos(one.windowMillis() * MILLI),
              "threads", one.threads(),
              "arms", one.arms()));
    }
    return out;
  }

  private static long window(ConfigNode node, long standard) {
    return node.find("window")
        .map(n -> n.durationNanos(SHORTEST_NANOS, LONGEST_NANOS))
        .orElse(standard);
  }
}
