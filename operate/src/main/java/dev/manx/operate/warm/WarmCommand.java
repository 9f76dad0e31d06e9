/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.warm;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.ConnectException;
import dev.manx.load.connect.Member;
import dev.manx.operate.connect.ClusterOptions;
import dev.manx.operate.connect.OnCluster;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.text.Words;
import dev.manx.policy.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code manx warm}. */
@Command(
    name = "warm",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Waits until nodes that restarted are warm, so that the next one may be restarted.",
      "A node is warm when its slowness (real over forecast read time) is at most 1.25 times (--within) that of the other nodes of its datacenter, as measured by these in three samples in a row. Manx must run in mode shadow or on, with the fact `slowness`, as in the strategy `manx`, and the node must receive reads. Changes nothing."
    },
    footer = {
      "",
      "Exit codes: 0 warm, 1 not warm in time, 2 bad usage.",
      "",
      "Example:",
      "  ./manx warm --on production --nodes 10.0.1.11"
    })
public final class WarmCommand extends OnCluster {
  private static final long HOUR_SECONDS = 3_600;
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int LOOKS_IN_A_ROW = 3;

  @Option(
      names = "--at-most",
      paramLabel = "TIME",
      defaultValue = "10min",
      description = "How long to wait, 1s to 1h (default: ${DEFAULT-VALUE}).")
  private String atMost;

  @Option(
      names = "--within",
      paramLabel = "FACTOR",
      defaultValue = "1.25",
      description =
          "How much slower than the others a warm node may be, 1 to 10 (default: ${DEFAULT-VALUE});"
              + " more for a slower machine.")
  private double within;

  private long nanos;

  @Override
  protected void prepare() {
    nanos = ClusterOptions.duration("--at-most", atMost, 1, HOUR_SECONDS);
    if (!(within >= 1 && within <= 10)) {
      throw new ConfigException(
          "command line", 0, "--within", Double.toString(within), "a factor from 1 to 10");
    }
  }

  @Override
  protected int on(Cluster opened, List<Member> nodes) throws InterruptedException {
    if (nodes.size() == opened.members().size()) {
      throw new ConfigException(
          "command line", 0, "--nodes", null, "the nodes that restarted; the others are compared");
    }
    for (Member node : nodes) {
      if (others(opened, node, nodes).isEmpty()) {
        throw new ConfigException(
            "command line",
            0,
            "--nodes",
            node.address().brief(),
            "not all nodes of "
                + node.datacenter()
                + ": the nodes that restarted are compared with the others of their datacenter");
      }
    }
    long deadline = System.nanoTime() + nanos;
    List<Member> cold = new ArrayList<>(nodes);
    int[] inARow = new int[nodes.size()];
    String[] last = new String[nodes.size()];
    List<Trend> trends = Stream.generate(Trend::new).limit(nodes.size()).toList();
    while (true) {
      for (Member node : List.copyOf(cold)) {
        int index = nodes.indexOf(node);
        Look look = look(opened, node, nodes);
        inARow[index] = look.warm() ? inARow[index] + 1 : 0;
        look.ratio().ifPresent(trends.get(index)::add);
        if (!look.words().equals(last[index])) {
          say(look.words());
          last[index] = look.words();
        }
        if (inARow[index] == LOOKS_IN_A_ROW) {
          say(node.address().brief() + " is warm");
          cold.remove(node);
        }
      }
      if (cold.isEmpty()) {
        return 0;
      }
      if (System.nanoTime() >= deadline) {
        say(
            "not warm after "
                + atMost
                + ": "
                + Words.of(cold.stream().map(one -> one.address().brief()).toList(), 0));
        for (Member node : cold) {
          trends
              .get(nodes.indexOf(node))
              .stays()
              .ifPresent(ratio -> say(hint(node.address().brief(), ratio)));
        }
        return 1;
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
    }
  }

  /** The nodes of the same datacenter that did not restart. */
  private static List<Member> others(Cluster opened, Member node, List<Member> cold) {
    return opened.members().stream()
        .filter(one -> one.datacenter().equals(node.datacenter()) && !cold.contains(one))
        .toList();
  }

  private static String hint(String node, double ratio) {
    return String.format(
        Locale.ROOT,
        "%s no longer gets faster: if its machine is slower than the others', use --within=%.1f",
        node,
        Math.min(10, Math.ceil(11 * ratio) / 10));
  }

  private record Look(boolean warm, OptionalDouble ratio, String words) {}

  private Look look(Cluster opened, Member node, List<Member> cold) {
    String name = node.address().brief();
    NodeState state = NodeState.read(node);
    if (!state.isPresent()) {
      return new Look(false, OptionalDouble.empty(), name + ": " + state.why());
    }
    if (state.mode().equals("off")) {
      return new Look(
          false, OptionalDouble.empty(), name + " is in mode off, so nothing is measured");
    }
    List<Member> others = others(opened, node, cold);
    List<Sight> sights = opened.ask(others, one -> Sight.of(one::rows));
    OptionalDouble ratio =
        Sight.ratio(sights, node.peerAddress(), others.stream().map(Member::peerAddress).toList());
    if (ratio.isEmpty()) {
      // Waiting does not help.
      sights.stream()
          .map(Sight::refusal)
          .filter(why -> !why.isEmpty())
          .findFirst()
          .ifPresent(
              why -> {
                throw new ConnectException(why);
              });
      return new Look(
          false,
          OptionalDouble.empty(),
          name
              + ": too few reads to compare with "
              + Words.nodes(others.size())
              + " of "
              + node.datacenter());
    }
    return new Look(
        ratio.getAsDouble() <= within,
        ratio,
        String.format(
            Locale.ROOT,
            "%s: its reads take %.1f times as long as the others'",
            name,
            ratio.getAsDouble()));
  }
}
