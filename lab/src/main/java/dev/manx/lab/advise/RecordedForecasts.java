/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.policy.Request.Unit;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.facts.Fact;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import dev.manx.simulator.recorded.Recording;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The forecasts in a recording: those of the strategy that decided in mode shadow, which the model
 * gives to every strategy.
 */
final class RecordedForecasts {
  private static final String SIZES = "oracles.size";
  private static final String NONE = "none";

  private RecordedForecasts() {}

  /** A note if the recorded reads have no forecast sizes. */
  static Optional<String> missing(Recording recording) {
    List<Strategy> strategies = strategies(recording);
    boolean blind =
        strategies.isEmpty()
            ? recording.requests().stream()
                .flatMapToInt(request -> Arrays.stream(request.bytes()))
                .allMatch(bytes -> bytes == 0)
            : strategies.stream().noneMatch(RecordedForecasts::knowsSizes);
    return blind
        ? Optional.of(
            "the recorded strategy has no size oracle, so every read has the same forecast, and the"
                + " model does not show what other strategies gain from sizes; record with one that"
                + " has (./manx ctl strategy manx)")
        : Optional.empty();
  }

  /**
   * A note if strategies would forecast otherwise on nodes than the recorded one did.
   *
   * @param arms strategies by name
   */
  static Optional<String> differ(Recording recording, Map<String, Strategy> arms) {
    Set<String> recorded =
        strategies(recording).stream()
            .map(RecordedForecasts::forecasts)
            .collect(Collectors.toUnmodifiableSet());
    if (recorded.isEmpty()) {
      return Optional.empty();
    }
    String others =
        arms.entrySet().stream()
            .filter(arm -> usesForecasts(arm.getValue()))
            .filter(arm -> !recorded.equals(Set.of(forecasts(arm.getValue()))))
            .map(Map.Entry::getKey)
            .collect(Collectors.joining(", "));
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "other oracles, or another forecast or fact service-time, than the recorded strategy:"
                + " %s; the model gives them the recorded forecasts".formatted(others));
  }

  /** Strategies with policies that this version does not know are left out. */
  private static List<Strategy> strategies(Recording recording) {
    return recording.logs().stream()
        .flatMap(log -> log.engine().strategies().stream())
        .distinct()
        .flatMap(document -> parsed(document).stream())
        .toList();
  }

  private static Optional<Strategy> parsed(String document) {
    try {
      return Optional.of(Strategy.parse("log", document, Host.node(() -> 0)));
    } catch (ConfigException e) {
      return Optional.empty();
    }
  }

  private static boolean knowsSizes(Strategy strategy) {
    return !strategy.names().get(SIZES).equals(NONE);
  }

  /** Whether its decisions depend on forecasts. */
  private static boolean usesForecasts(Strategy strategy) {
    Map<String, String> names = strategy.names();
    return strategy.unit() != Unit.KEYS
        && (knowsSizes(strategy)
            || "select.low".equals(names.get("select"))
            || !"order.fifo".equals(names.get("order"))
            || !"fanout.none".equals(names.get("fanout")));
  }

  /** All settings on which a strategy's forecasts depend. */
  private static String forecasts(Strategy strategy) {
    String oracles =
        strategy
            .document()
            .lines()
            .map(String::strip)
            .filter(line -> line.startsWith("size: ") || line.startsWith("forecast: "))
            .collect(Collectors.joining("; "));
    return oracles + "; " + strategy.facts().wired().contains(Fact.SERVICE_TIME);
  }
}
