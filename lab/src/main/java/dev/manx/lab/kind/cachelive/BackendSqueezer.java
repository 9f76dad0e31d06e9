/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.cachelive.LiveSettings.Means;
import dev.manx.lab.kind.cachelive.LiveSettings.Squeeze;
import java.io.IOException;
import java.util.Optional;

/** Squeezes a backend and lets it go again, by a cgroup where it may, else by its own gate. */
final class BackendSqueezer implements AutoCloseable {
  private final Squeeze squeeze;
  private final HttpBackend backend;
  private final Optional<CpuLimit> group;
  private volatile boolean on;

  /**
   * Prepares; nothing is squeezed yet.
   *
   * @throws RunException if only a cgroup will do and none can be had
   */
  BackendSqueezer(Squeeze squeeze, HttpBackend backend) {
    this.squeeze = squeeze;
    this.backend = backend;
    group = squeeze.by() == Means.LIMIT ? Optional.empty() : CpuLimit.of(backend.pid());
    if (squeeze.by() == Means.CGROUP && group.isEmpty()) {
      throw new RunException(
          "may not make a cgroup with a CPU quota: run as root, or set squeeze.by to auto or limit");
    }
  }

  /** Whether the backend is squeezed now. */
  boolean on() {
    return on;
  }

  void squeeze() throws IOException {
    if (group.isPresent()) {
      group.get().limit(squeeze.cores());
    } else {
      backend.limit(squeeze.cores());
    }
    on = true;
  }

  void release() throws IOException {
    on = false;
    if (group.isPresent()) {
      group.get().lift();
    } else {
      backend.limit(Double.POSITIVE_INFINITY);
    }
  }

  /** How it stands in the report. */
  String describe() {
    return squeeze.backend()
        + " has "
        + squeeze.cores()
        + " cores while it is squeezed, by "
        + group.map(CpuLimit::describe).orElse("its own gate: pages one at a time, and rests");
  }

  /** To be called once the backend's process has ended. */
  @Override
  public void close() throws IOException {
    if (group.isPresent()) {
      group.get().close();
    }
  }
}
