/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command on some or all nodes of a cluster. */
public abstract class OnCluster implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Mixin private NodeChoice choice;
  @Spec private CommandSpec spec;

  @Override
  public final Integer call() throws Exception {
    prepare();
    try (Cluster opened = cluster.connect()) {
      return on(opened, choice.of(opened.members()));
    }
  }

  /** Rejects invalid arguments before connecting. */
  protected void prepare() {}

  /**
   * Runs the command.
   *
   * @param nodes the chosen nodes
   * @return the exit code
   */
  protected abstract int on(Cluster opened, List<Member> nodes) throws Exception;

  /** The cluster as named by the user. */
  protected final String clusterName() {
    return cluster.name();
  }

  /** The command's output. */
  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Prints a line, or several. */
  protected final void say(String text) {
    out().println(text);
    out().flush();
  }
}
