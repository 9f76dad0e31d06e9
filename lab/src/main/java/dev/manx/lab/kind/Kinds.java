/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import dev.manx.lab.cluster.ManxHome;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Design;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentReader;
import dev.manx.lab.experiment.ExperimentRun;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.ExperimentWriter;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.kind.Kind.Ready;
import dev.manx.lab.kind.cache.CacheKind;
import dev.manx.lab.kind.cachelive.CacheLiveKind;
import dev.manx.lab.kind.cluster.ClusterWords;
import dev.manx.lab.kind.contention.ContentionKind;
import dev.manx.lab.kind.idle.IdleKind;
import dev.manx.lab.kind.simulator.SimulatorKind;
import dev.manx.lab.run.ExperimentRunner;
import dev.manx.lab.run.Progress;
import dev.manx.policy.config.ConfigException;
import dev.manx.workload.result.GitRevision;
import java.nio.file.Path;
import java.util.List;

/** Every kind of experiment there is; a new one is one more line of {@link #ALL}. */
public final class Kinds {
  private static final List<Kind> ALL =
      List.of(
          new Kind(ClusterWords.WORDS, Kinds::cluster),
          new Kind(SimulatorKind.WORDS, Kinds::simulator),
          new Kind(CacheKind.WORDS, Kinds::cache),
          new Kind(CacheLiveKind.WORDS, Kinds::liveCache),
          new Kind(ContentionKind.WORDS, Kinds::contention),
          new Kind(IdleKind.WORDS, Kinds::idle));

  private Kinds() {}

  /**
   * Reads a file of whichever kind it asks for.
   *
   * @throws dev.manx.policy.config.ConfigException if it asks for none there is, or anything in it
   *     is refused
   */
  public static Ready read(Path file, Choices choices, ManxHome home, Progress progress) {
    String on = ExperimentReader.on(file).oneOf(names().toArray(String[]::new));
    Kind asked =
        ALL.stream().filter(kind -> kind.words().on().equals(on)).findFirst().orElseThrow();
    try {
      return asked.reader().read(file, choices, home, progress);
    } catch (ConfigException e) {
      throw choices.named(e);
    }
  }

  /** What {@code on:} of a file can name. */
  public static List<String> names() {
    return ALL.stream().map(kind -> kind.words().on()).toList();
  }

  /** What the report says of a kind, or of one that there is not. */
  public static KindWords words(String on) {
    return ALL.stream()
        .map(Kind::words)
        .filter(words -> words.on().equals(on))
        .findFirst()
        .orElse(KindWords.UNKNOWN);
  }

  private static String revision(ManxHome home) {
    return GitRevision.of(home.root());
  }

  private static <S, P> Ready ready(Design<S, P> design, ManxHome home, Progress progress) {
    return new Ready(
        design.head().name(),
        design.text(),
        out -> new ExperimentRun<>(design, revision(home), progress).run(out));
  }

  private static Path work(ManxHome home) {
    return home.root().resolve(".manx/work");
  }

  /** Real nodes of Apache Cassandra. */
  private static Ready cluster(Path file, Choices choices, ManxHome home, Progress progress) {
    Experiment experiment = choices.read(file);
    return new Ready(
        experiment.name(),
        ExperimentWriter.text(experiment),
        out -> new ExperimentRunner(experiment, home, progress).run(out, work(home)));
  }

  /** The model in virtual time. */
  private static Ready simulator(Path file, Choices choices, ManxHome home, Progress progress) {
    return ready(SimulatorKind.read(ExperimentSource.of(file, choices)), home, progress);
  }

  /** Divided caches in virtual time. */
  private static Ready cache(Path file, Choices choices, ManxHome home, Progress progress) {
    return ready(CacheKind.read(ExperimentSource.of(file, choices)), home, progress);
  }

  /** A real cache before real backends. */
  private static Ready liveCache(Path file, Choices choices, ManxHome home, Progress progress) {
    return ready(
        CacheLiveKind.read(ExperimentSource.of(file, choices), home, work(home)), home, progress);
  }

  /** A storage engine whose threads are squeezed. */
  private static Ready contention(Path file, Choices choices, ManxHome home, Progress progress) {
    return ready(ContentionKind.read(ExperimentSource.of(file, choices)), home, progress);
  }

  /** Ways to wait, in a JVM of its own. */
  private static Ready idle(Path file, Choices choices, ManxHome home, Progress progress) {
    return ready(IdleKind.read(ExperimentSource.of(file, choices), work(home)), home, progress);
  }
}
