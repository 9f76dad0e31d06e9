/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Loader;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.kind.cachelive.CacheLiveKind.At;
import dev.manx.lab.kind.cachelive.LiveArmRun.Counts;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.load.LoadProgress;
import dev.manx.simulator.Outcome;
import dev.manx.workload.PlannedRequest;
import dev.manx.workload.result.Histograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The counters of a turn. */
@Timeout(60)
class LiveWatchTest {
  private static final long MILLI = 1_000_000;
  private static final long LOOK_MILLIS = 500;
  private static final long WINDOW_MILLIS = 1_500;

  /** A backend that answers at once. */
  private record Prompt(BackendPlan plan) implements LiveBackend {
    @Override
    public Loader<Integer, byte[]> loader() {
      return keys ->
          CompletableFuture.completedFuture(
              keys.stream().collect(Collectors.toMap(Function.identity(), key -> new byte[1])));
    }

    @Override
    public boolean right(int key, byte[] value) {
      return true;
    }

    @Override
    public String describe() {
      return "prompt";
    }

    @Override
    public void close() {}
  }

  private static LoadProgress look(long millis, long warmUpMillis) {
    return new LoadProgress(
        millis * MILLI,
        (millis - warmUpMillis) * MILLI,
        (warmUpMillis + WINDOW_MILLIS) * MILLI,
        0,
        0,
        0,
        0,
        0,
        0,
        LOOK_MILLIS * MILLI,
        Histograms.create());
  }

  /** Half a second of the warm-up was counted, or half a second of the window was not. */
  @ParameterizedTest
  @ValueSource(longs = {0, 500, 2_000})
  void countersStartAtTheWindow(long warmUpMillis, @TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("files.yaml"), SmallCacheLive.FILES);
    Map<String, String> set =
        Map.of("warm-up", warmUpMillis + "ms", "backends.pictures.batch", "4");
    At at = SmallCacheLive.read(folder, file, set).points().get(0).settings();
    LiveSettings settings = at.settings();
    LiveArm arm = SmallCacheLive.read(folder, file, set).points().get(0).arms().get(0).settings();
    List<LiveBackend> backends = List.of(new Prompt(settings.backends().get(0)));
    FaultSwitch faults = new FaultSwitch(settings.faults());
    try (LiveArmRun run = new LiveArmRun(settings, arm, backends, faults)) {
      QueryPlans plans = new QueryPlans(settings.backends(), 1, Optional.empty());
      LiveWatch watch = new LiveWatch(run, settings, at.windowNanos(), () -> false, line -> {});
      LiveTarget target = run.target(backends, plans, watch, false, settings.warmUpNanos());
      Counts start = counts(run);
      for (long millis = LOOK_MILLIS;
          millis <= warmUpMillis + WINDOW_MILLIS;
          millis += LOOK_MILLIS) {
        target
            .send(new PlannedRequest(millis, millis * MILLI, false, 1))
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
        if (millis == warmUpMillis) {
          start = counts(run);
        }
        watch.accept(look(millis, warmUpMillis));
      }
      Measured measured = new Measured(0, 1.5);
      watch.into(measured);
      Counts end = counts(run);
      long hits = end.hits() - start.hits();
      long misses = end.misses() - start.misses();
      assertThat(misses).isPositive();
      assertThat(measured.value("hit_pct_pictures")).isEqualTo(100.0 * hits / (hits + misses));
      List<Outcome.Point> rates =
          measured.timeline().stream()
              .filter(point -> point.metric().equals("misses_per_s"))
              .toList();
      assertThat(rates).extracting(Outcome.Point::seconds).containsExactly(0.5, 1.0, 1.5);
      assertThat(rates.stream().mapToDouble(Outcome.Point::value).sum() * LOOK_MILLIS / 1e3)
          .isEqualTo(misses);
    }
  }

  private static Counts counts(LiveArmRun run) {
    return run.stats().get("pictures");
  }
}
