/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import dev.manx.load.connect.HostPort;
import dev.manx.load.connect.Member;
import dev.manx.policy.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Which nodes of a cluster a command is about; a picocli mixin. */
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
      description = "Only the nodes of this datacenter (default: of all).")
  private String datacenter;

  /**
   * The chosen ones of all.
   *
   * @throws ConfigException if a name means none of them
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
      chosen.add(
          some.stream()
              .filter(member -> isCalled(name.trim(), member.address()))
              .findFirst()
              .orElseThrow(
                  () ->
                      refused(
                          "--nodes",
                          name,
                          some.stream().map(member -> member.address().brief()).toList())));
    }
    return chosen.stream().distinct().toList();
  }

  private static boolean isCalled(String name, HostPort address) {
    return name.equals(address.host()) || name.equals(address.toString());
  }

  private static ConfigException refused(String option, String value, List<String> allowed) {
    return new ConfigException(
        "command line", 0, option, value, allowed.stream().collect(Collectors.joining(", ")));
  }
}
