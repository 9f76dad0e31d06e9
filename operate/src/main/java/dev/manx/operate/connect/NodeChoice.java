/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import dev.manx.load.connect.HostPort;
import dev.manx.load.connect.Member;
import dev.manx.policy.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The choice of nodes for a command; a picocli mixin. */
public final class NodeChoice {
  @Option(
      names = "--nodes",
      paramLabel = "HOST",
      split = ",",
      description = "Only these nodes, by their addresses (default: all).")
  private List<String> nodes = List.of();

  @Option(
      names = "--dc",
      paramLabel = "NAME",
      description = "Only nodes of this datacenter (default: all).")
  private String datacenter;

  /**
   * Rejects these options if no cluster is named.
   *
   * @param command the command that has these options
   * @throws picocli.CommandLine.ParameterException if one was given
   */
  public void refuseWithoutCluster(CommandLine command) {
    ClusterOptions.refuse(command, "--nodes", !nodes.isEmpty());
    ClusterOptions.refuse(command, "--dc", datacenter != null);
  }

  /** The options that choose the same datacenter; empty if none was named. */
  public String ofDatacenter() {
    return datacenter == null ? "" : " --dc " + datacenter;
  }

  /**
   * The chosen nodes.
   *
   * @throws ConfigException if a name matches none of them, or several
   */
  public List<Member> of(List<Member> all) {
    List<Member> some = new ArrayList<>(all);
    if (datacenter != null) {
      some.removeIf(member -> !member.datacenter().equals(datacenter));
      if (some.isEmpty()) {
        throw refused("--dc", datacenter, all.stream().map(Member::datacenter).distinct().toList());
      }
    }
    if (nodes.isEmpty()) {
      return some;
    }
    List<Member> chosen = new ArrayList<>();
    for (String name : nodes) {
      List<Member> called =
          some.stream().filter(member -> isCalled(name.trim(), member.address())).toList();
      // With one address and several ports, a name without a port is ambiguous.
      if (called.size() != 1) {
        throw refused(
            "--nodes",
            name,
            called.isEmpty()
                ? some.stream().map(member -> member.address().brief()).toList()
                : called.stream().map(member -> member.address().toString()).toList());
      }
      chosen.addAll(called);
    }
    return chosen.stream().distinct().toList();
  }

  /** An IPv6 address has several forms; host names are not resolved. */
  static boolean isCalled(String name, HostPort address) {
    if (name.equals(address.host()) || name.equals(address.toString())) {
      return true;
    }
    return HostPort.parse(name)
        .filter(one -> one.host().indexOf(':') >= 0)
        .filter(one -> !name.startsWith("[") || one.port() == address.port())
        .filter(one -> one.isSameHost(address))
        .isPresent();
  }

  private static ConfigException refused(String option, String value, List<String> allowed) {
    return new ConfigException(
        "command line", 0, option, value, allowed.stream().collect(Collectors.joining(", ")));
  }
}
