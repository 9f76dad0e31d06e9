/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.cachelive.LiveSettings.Means;
import dev.manx.lab.kind.cachelive.LiveSettings.Squeeze;
import dev.manx.local.cgroup.ControlGroupException;
import dev.manx.local.cgroup.Controller;
import dev.manx.local.cgroup.ProcessGroup;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Squeezes a backend and releases it, by a cgroup if permitted, otherwise by the backend's gate.
 */
final class BackendSqueezer implements AutoCloseable {
  private final Squeeze squeeze;
  private final HttpBackend backend;
  private final Optional<ProcessGroup> group;
  private volatile boolean on;

  /**
   * Prepares without squeezing.
   *
   * @throws RunException if a cgroup is required and cannot be created
   */
  BackendSqueezer(Squeeze squeeze, HttpBackend backend) {
    this.squeeze = squeeze;
    this.backend = backend;
    group = squeeze.by() == Means.LIMIT ? Optional.empty() : group(backend.pid());
    if (squeeze.by() == Means.CGROUP && group.isEmpty()) {
      throw new RunException(
          "may not make a cgroup with a CPU quota: run as root, or set squeeze.by to auto or limit");
    }
  }

  private static Optional<ProcessGroup> group(long pid) {
    try {
      return Optional.of(ProcessGroup.of(pid, Set.of(Controller.CPU)));
    } catch (ControlGroupException e) {
      // Not permitted: use the gate instead.
      return Optional.empty();
    }
  }

  /** Whether the backend is squeezed now. */
  boolean on() {
    return on;
  }

  void squeeze() throws IOException {
    if (group.isPresent()) {
      group.get().limitCores(squeeze.cores());
    } else {
      backend.limit(squeeze.cores());
    }
    on = true;
  }

  void release() throws IOException {
    on = false;
    if (group.isPresent()) {
      group.get().liftCores();
    } else {
      backend.limit(Double.POSITIVE_INFINITY);
    }
  }

  /** The means of the squeeze, which another user's rights may change. */
  String means() {
    return group.isPresent() ? "by a CPU quota" : "by the backend's own gate";
  }

  String describe() {
    return squeeze.backend()
        + " has "
        + squeeze.cores()
        + " cores while it is squeezed, by "
        + group
            .map(one -> "a CPU quota of " + one.describe())
            .orElse("its own gate: pages one at a time, and rests");
  }

  /** Must be called once the backend's process has ended. */
  @Override
  public void close() throws IOException {
    if (group.isPresent()) {
      group.get().close();
    }
  }
}
