/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentRun;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.kind.cachelive.CacheLiveKind.At;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A small experiment on all real backends except Cassandra. */
final class SmallCacheLive {
  static final String SMALL =
      """
      experiment: small
      on: cache-live
      cache: { capacity: 4MiB }
      backends:
        orders: { kind: sql, keys: 300, value: 8KiB, in: 50%, batch: 2 }
        pages: { kind: http, keys: 300, value: 8KiB, in: 60%, batch: 2, work: 200us, threads: 4 }
        similar: { kind: matrix, keys: 200, value: 4KiB, in: 30%, batch: 1, work: 100us }
        pictures: { kind: file, keys: 300, value: 8KiB, in: 40%, batch: 2, zipf: 0 }
      rate: 100/s
      request-time-out: 5s
      squeeze: { backend: pages, by: auto, cores: 0.2, from: 300ms, for: 900ms }
      settle: 200ms
      warm-up: 100ms
      window: 1500ms
      rounds: 2
      baseline: shared
      arms:
        shared: { cache: cache.shared }
        robinhood:
          description: moves
          cache: { policy: cache.robinhood, interval: 50ms, window: 500ms, stale-after: 1s, floor: 256KiB, page: 16KiB, goal: p90, half-band: 9% }
      """;

  /** The same with only files behind the cache. */
  static final String FILES =
      SMALL.replaceAll("(?m)^  (orders|pages|similar): .*\n|^squeeze: .*\n", "");

  private SmallCacheLive() {}

  /** Reads an experiment; its backends would keep their data in the folder. */
  static Experiment<LiveArm, At> read(Path folder, Path file, Map<String, String> settings) {
    return read(folder, file, new Choices(settings, List.of(), false));
  }

  /** The same with what a command line chose. */
  static Experiment<LiveArm, At> read(Path folder, Path file, Choices choices) {
    return CacheLiveKind.read(
        ExperimentSource.of(file, choices), ManxHome.find(), folder.resolve("work"));
  }

  /** Starts the backends and runs an experiment, whose result is in the folder. */
  static Path run(Path folder, String text, Map<String, String> settings)
      throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("small.yaml"), text);
    Path out = folder.resolve("out");
    new ExperimentRun<>(read(folder, file, settings), "", new SilentProgress()).run(out);
    return out;
  }
}
