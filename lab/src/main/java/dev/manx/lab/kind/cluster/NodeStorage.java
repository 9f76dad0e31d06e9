/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Closer;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.TimedRun;
import dev.manx.lab.kind.TwoSteps;
import dev.manx.local.cgroup.BlockDevice;
import dev.manx.local.cgroup.ControlGroupException;
import dev.manx.local.cgroup.Controller;
import dev.manx.local.cgroup.ProcessGroup;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.Node;
import dev.manx.local.cluster.StorageLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Limits the page cache and the disk of each node that holds data, by control groups: the nodes'
 * files are on one disk, but each node is limited to {@link StorageLimits}.
 */
final class NodeStorage implements AutoCloseable {
  private final StorageLimits limits;
  private final BlockDevice disk;
  private final List<Node> nodes;
  private final List<ProcessGroup> groups = new ArrayList<>();

  private NodeStorage(StorageLimits limits, BlockDevice disk, List<Node> nodes) {
    this.limits = limits;
    this.disk = disk;
    this.nodes = nodes;
  }

  /**
   * Puts each node into a separate group, without a limit yet. Must be called before they have
   * data, because the kernel charges a page to the group that touched it first.
   *
   * @throws RunException if this user lacks the permission
   */
  static NodeStorage of(LocalCluster cluster) {
    ClusterSettings settings = cluster.settings();
    List<Node> nodes = cluster.nodes().subList(0, settings.dataNodes());
    try (Closer<RuntimeException> undo = new Closer<>()) {
      NodeStorage storage = new NodeStorage(settings.storage(), disk(nodes.get(0).folder()), nodes);
      undo.add(storage::close);
      for (Node node : nodes) {
        storage.groups.add(
            ProcessGroup.of(cluster.pids()[node.index() - 1], controllers(settings.storage())));
      }
      undo.release();
      return storage;
    } catch (ControlGroupException e) {
      throw refused(e);
    }
  }

  /**
   * Checks whether limits are available, before nodes are started.
   *
   * @param folder folder for the nodes' files; created if missing
   * @throws RunException if they are not available
   */
  static void check(StorageLimits limits, Path folder) {
    Process any = null;
    try {
      disk(Files.createDirectories(folder));
      any = new ProcessBuilder("sleep", "10").start();
      ProcessGroup group = ProcessGroup.of(any.pid(), controllers(limits));
      any.destroyForcibly().onExit().join();
      group.close();
    } catch (ControlGroupException e) {
      throw refused(e);
    } catch (IOException e) {
      throw new RunException("cannot find out whether storage can be limited: " + e, e);
    } finally {
      if (any != null) {
        any.destroyForcibly();
      }
    }
  }

  private static BlockDevice disk(Path folder) {
    return BlockDevice.of(folder);
  }

  private static RunException refused(ControlGroupException e) {
    return new RunException("storage: the limits need control groups. " + e.getMessage(), e);
  }

  private static Set<Controller> controllers(StorageLimits limits) {
    return limits.cores() > 0
        ? EnumSet.allOf(Controller.class)
        : EnumSet.of(Controller.MEMORY, Controller.DISK);
  }

  /** Flushes the data to files, one per node and table, so that reads must fetch them. */
  void flush(String keyspace) {
    nodes.forEach(node -> NodeJmx.compact(node, keyspace));
  }

  /**
   * Keeps the page cache of each node at its limit: the limit of total memory follows the nodes'
   * own memory. Reads of the disk are not limited, so that the page cache fills in a few seconds;
   * {@link #measured} limits them.
   */
  void warm() {
    try {
      for (ProcessGroup group : groups) {
        group.liftReads(disk);
        if (limits.cores() > 0) {
          group.limitCores(limits.cores());
        }
        group.limitMemory(group.memory().held() + limits.pageCacheBytes());
      }
    } catch (IOException e) {
      throw new RunException("storage: a node's memory cannot be limited: " + e.getMessage(), e);
    }
  }

  /**
   * Warms the page caches up for a turn, and limits the disks from the start of its window on.
   *
   * @param storage empty if the cluster's storage has no limits
   */
  static TimedRun turn(Optional<NodeStorage> storage) {
    storage.ifPresent(NodeStorage::warm);
    return new TimedRun(
        storage.stream()
            .map(one -> new TwoSteps("start of the window", one::measured, () -> {}))
            .map(limit -> new TimedRun.Entry(0, 0, limit))
            .toList());
  }

  private void measured() {
    try {
      for (ProcessGroup group : groups) {
        group.limitReads(disk, limits.readsPerSecond());
      }
    } catch (IOException e) {
      throw new RunException(
          "storage: a node's reads of the disk cannot be limited: " + e.getMessage(), e);
    }
  }

  /**
   * Counts a node's reads from the disk.
   *
   * @param index of the node, from 0; a node without data has no reads
   */
  ProcessGroup.DiskReads reads(int index) {
    try {
      return index < groups.size()
          ? groups.get(index).reads(disk)
          : new ProcessGroup.DiskReads(0, 0);
    } catch (IOException e) {
      throw new RunException("storage: a node's reads cannot be counted: " + e.getMessage(), e);
    }
  }

  /** Removes remaining limits. Must be called once the nodes have ended. */
  @Override
  public void close() {
    for (ProcessGroup group : groups) {
      try {
        group.close();
      } catch (IOException e) {
        // The node and its group are gone, or it still runs in a group that the next run removes.
      }
    }
  }
}
