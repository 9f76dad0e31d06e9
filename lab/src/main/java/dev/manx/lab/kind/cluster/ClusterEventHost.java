/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import com.datastax.oss.driver.api.core.DriverException;
import dev.manx.lab.experiment.RunException;
import dev.manx.local.cluster.ClusterSettings;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Carries out events on the nodes of a local cluster during a turn of one arm. */
final class ClusterEventHost implements EventHost {
  private static final int SIGNAL_SECONDS = 10;
  private static final String MODEL = "UPDATE manx_lab.service_model SET value = ? WHERE name = ?";

  private final LoadedCluster cluster;
  private final ArmSwitch armSwitch;
  private final ClusterArm arm;
  private final NodePresence presence;

  ClusterEventHost(
      LoadedCluster cluster, ArmSwitch armSwitch, ClusterArm arm, LongSupplier nanoTime) {
    this.cluster = cluster;
    this.armSwitch = armSwitch;
    this.arm = arm;
    presence = new NodePresence(nanoTime);
  }

  /** Knows which nodes cannot be queried. */
  NodePresence presence() {
    return presence;
  }

  @Override
  public long pid(int node) {
    return cluster.cluster().pids()[node - 1];
  }

  @Override
  public void signal(int node, boolean stopped) {
    if (stopped) {
      presence.leaves(node);
    }
    send(stopped ? "-STOP" : "-CONT", pid(node));
    if (!stopped) {
      presence.returns(node);
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
    presence.ends(node);
    cluster.cluster().kill(node - 1);
  }

  @Override
  public void restart(int node) {
    cluster.cluster().restart(node - 1, cluster.cluster().settings().plugin());
    armSwitch.again(arm, node - 1);
    presence.returns(node);
  }

  @Override
  public void compact(int node) {
    NodeJmx.compact(cluster.cluster().nodes().get(node - 1), LoadedCluster.KEYSPACE);
  }
}
