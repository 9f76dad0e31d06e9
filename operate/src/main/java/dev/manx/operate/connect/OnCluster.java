/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import dev.manx.load.ShutdownHook;
import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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

  /** Changes nodes; if this is interrupted, for example by Ctrl-C, a line says what to do. */
  protected final <T> T changing(Supplier<T> change) {
    return new ShutdownHook(
            "manx-says-interrupted",
            () ->
                warn(
                    "interrupted: some nodes may have been changed, and others not; to see which:"
                        + " ./manx ctl status"))
        .during(change);
  }

  /** Prints a line that does not belong to the command's output. */
  protected final void warn(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(text);
    err.flush();
  }

  /** Prints a line, or several. */
  protected final void say(String text) {
    out().println(text);
    out().flush();
  }
}
