/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.Closer;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.lab.kind.cachelive.LiveSettings.Kind;
import dev.manx.load.ShutdownHook;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** All backends of an experiment, and the squeezer of one of them. Confined to one thread. */
final class LiveBackends implements AutoCloseable {
  private static final int TRIES = 10;
  private static final long BETWEEN_TRIES_NANOS = 50_000_000L;

  private final Path folder;
  private final List<LiveBackend> all = new ArrayList<>();
  private final ShutdownHook cleaner;
  private BackendSqueezer squeezer;

  private LiveBackends(Path folder) {
    this.folder = folder;
    // The data may be large, and later runs do not remove it.
    cleaner = new ShutdownHook("manx-remove-backends", () -> deleteAtEnd(folder));
    cleaner.add();
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
    Files.createDirectories(work);
    LiveBackends backends = new LiveBackends(Files.createTempDirectory(work, "backends-"));
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
      case SQL -> new SqlBackend(plan, folder);
      case HTTP -> new HttpBackend(plan, folder);
      case MATRIX -> new MatrixBackend(plan);
      case FILE -> new FileBackend(plan, folder);
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
      closer.add(cleaner::remove);
      closer.add(() -> delete(folder));
      if (squeezer != null) {
        closer.add(squeezer::close);
      }
      all.forEach(backend -> closer.add(() -> stop(backend)));
    }
  }

  private static void stop(LiveBackend backend) throws IOException {
    try {
      backend.close();
    } catch (IOException | RuntimeException e) {
      throw new IOException("cannot stop " + backend.plan().name(), e);
    }
  }

  /** Backends may still write while the JVM ends. */
  private static void deleteAtEnd(Path folder) {
    for (int tries = 0; tries < TRIES && Files.exists(folder); tries++) {
      delete(folder);
      LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
    }
  }

  /** Deletes as much as possible. */
  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException | UncheckedIOException e) {
      // It is already deleted, or another process deletes it.
    }
  }
}
