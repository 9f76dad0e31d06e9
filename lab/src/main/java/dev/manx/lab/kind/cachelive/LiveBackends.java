/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.contention.proc.Scratch;
import dev.manx.lab.experiment.Closer;
import dev.manx.lab.experiment.FileFailures;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.lab.kind.cachelive.LiveSettings.Kind;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All backends of an experiment, and the squeezer of one of them. Confined to one thread. */
final class LiveBackends implements AutoCloseable {
  private static final String PREFIX = "backends-";

  private final Scratch scratch;
  private final Progress progress;
  private final List<LiveBackend> all = new ArrayList<>();
  private BackendSqueezer squeezer;

  private LiveBackends(Scratch scratch, Progress progress) {
    this.scratch = scratch;
    this.progress = progress;
  }

  /**
   * Starts and fills them, in a separate folder that is removed with them.
   *
   * @throws IOException if the folder or a file cannot be created
   * @throws RunException if one does not start
   */
  static LiveBackends start(LiveSettings settings, ManxHome home, Path work, Progress progress)
      throws IOException, InterruptedException {
    long cassandras =
        settings.backends().stream().filter(plan -> plan.kind() == Kind.CASSANDRA).count();
    if (cassandras > 1) {
      throw new RunException("one backend of kind cassandra is the most: its ports are fixed");
    }
    LiveBackends backends = new LiveBackends(Scratch.create(work, PREFIX), progress);
    try (Closer<IOException> undo = new Closer<>()) {
      undo.add(backends::close);
      for (BackendPlan plan : settings.backends()) {
        progress.now("starting " + plan.name());
        backends.all.add(backends.start(plan, home, work, progress));
      }
      if (settings.squeeze() != null) {
        backends.squeezer = backends.squeezer(settings.squeeze());
      }
      undo.release();
      return backends;
    }
  }

  private LiveBackend start(BackendPlan plan, ManxHome home, Path work, Progress progress)
      throws IOException, InterruptedException {
    return switch (plan.kind()) {
      case CASSANDRA -> CassandraBackend.start(plan, home, work, progress);
      case SQL -> new SqlBackend(plan, scratch.folder());
      case HTTP -> new HttpBackend(plan, scratch.folder());
      case MATRIX -> new MatrixBackend(plan);
      case FILE -> new FileBackend(plan, scratch.folder());
    };
  }

  private BackendSqueezer squeezer(LiveSettings.Squeeze squeeze) {
    return all.stream()
        .filter(backend -> backend.plan().name().equals(squeeze.backend()))
        .map(backend -> new BackendSqueezer(squeeze, (HttpBackend) backend))
        .findFirst()
        .orElseThrow();
  }

  List<LiveBackend> all() {
    return List.copyOf(all);
  }

  Optional<BackendSqueezer> squeezer() {
    return Optional.ofNullable(squeezer);
  }

  /** Throws if one has died, because its failures would count as slowness. */
  void checkAlive() {
    for (LiveBackend backend : all) {
      if (!backend.alive()) {
        throw new RunException("backend " + backend.plan().name() + " has died; the run is void");
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (Closer<IOException> closer = new Closer<>()) {
      closer.add(() -> delete(scratch.folder(), scratch::close, progress));
      if (squeezer != null) {
        closer.add(squeezer::close);
      }
      all.forEach(backend -> closer.add(() -> stop(backend)));
    }
  }

  /** The results are complete without this, and the next run deletes the remaining files. */
  static void delete(Path folder, Runnable close, Progress progress) {
    try {
      close.run();
    } catch (UncheckedIOException e) {
      progress.warning(
          "cannot delete %s (%s); the next run of `cache-live` deletes it"
              .formatted(folder, FileFailures.words(e).orElse(e.toString())));
    }
  }

  private static void stop(LiveBackend backend) throws IOException {
    try {
      backend.close();
    } catch (IOException | RuntimeException e) {
      throw new IOException("cannot stop " + backend.plan().name(), e);
    }
  }
}
