/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import com.datastax.oss.driver.api.core.DriverException;
import dev.manx.lab.experiment.RunException;
import dev.manx.local.cluster.ClusterSettings;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Carries out events on the nodes of a local cluster during a turn of one arm. */
final class ClusterEventHost implements EventHost {
  private static final int SIGNAL_SECONDS = 10;
  private static final String MODEL = "UPDATE manx_lab.service_model SET value = ? WHERE name = ?";

  private final LoadedCluster cluster;
  private final ArmSwitch armSwitch;
  private final ClusterArm arm;
  private final Set<Integer> away = ConcurrentHashMap.newKeySet();
  private final Set<Integer> restarted = ConcurrentHashMap.newKeySet();

  ClusterEventHost(LoadedCluster cluster, ArmSwitch armSwitch, ClusterArm arm) {
    this.cluster = cluster;
    this.armSwitch = armSwitch;
    this.arm = arm;
  }

  /** Whether a node, counted from 0, cannot be queried now. */
  boolean isAway(int index) {
    return away.contains(index + 1);
  }

  /** Whether a node, counted from 0, was restarted, so that its counters were reset. */
  boolean wasRestarted(int index) {
    return restarted.contains(index + 1);
  }

  @Override
  public long pid(int node) {
    return cluster.cluster().pids()[node - 1];
  }

  @Override
  public void signal(int node, boolean stopped) {
    if (stopped) {
      away.add(node);
    }
    send(stopped ? "-STOP" : "-CONT", pid(node));
    if (!stopped) {
      away.remove(node);
    }
  }

  private static void send(String signal, long pid) {
    try {
      Process kill = new ProcessBuilder("kill", signal, Long.toString(pid)).start();
      if (!kill.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        throw new RunException("kill " + signal + " " + pid + " failed");
      }
    } catch (IOException e) {
      throw new RunException("kill " + signal + " " + pid + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RunException("interrupted while sending a signal to a node", e);
    }
  }

  @Override
  public void slow(int node, double times) {
    ClusterSettings.ServiceModel model = cluster.cluster().settings().model();
    double own = model.times(node) * times;
    try {
      model(node, "base_nanos", Math.round(own * model.baseNanos()));
      model(node, "per_kib_nanos", Math.round(own * model.perKibNanos()));
    } catch (DriverException e) {
      throw new RunException("node" + node + " refuses another model: " + e.getMessage(), e);
    }
  }

  private void model(int node, String name, long nanos) {
    cluster.admin().execute(cluster.nodes().get(node - 1), MODEL, nanos, name);
  }

  @Override
  public void kill(int node) {
    away.add(node);
    restarted.add(node);
    cluster.cluster().kill(node - 1);
  }

  @Override
  public void restart(int node) {
    cluster.cluster().restart(node - 1, cluster.cluster().settings().plugin());
    armSwitch.again(arm, node - 1);
    away.remove(node);
  }

  @Override
  public void compact(int node) {
    NodeJmx.compact(cluster.cluster().nodes().get(node - 1), LoadedCluster.KEYSPACE);
  }
}
