/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.canary.CanaryChoice;
import dev.manx.operate.connect.TypedShare;
import dev.manx.policy.config.ConfigException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code manx ctl canary set}. */
@Command(
    name = "set",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Lets Manx act on a share of the requests of some or all tables.",
      "The mode stays; begin with mode shadow or off, set the canary, then `ctl mode on`. Setting it again, or switching the mode, restarts the comparison."
    },
    footer = {
      "",
      "Exit codes: 0 all nodes as asked, 1 some not, 2 bad usage, or an unknown table.",
      "",
      "Examples:",
      "  ./manx ctl canary set 10%% --on production",
      "  ./manx ctl canary set 50%% --tables shop.carts,shop.items --keyspaces users \\",
      "    --on production"
    })
final class CanarySetCommand extends CanaryChanging {
  @Parameters(paramLabel = "SHARE", description = "Share of the requests, for example 10%%.")
  private String share;

  @Option(
      names = "--tables",
      paramLabel = "KEYSPACE.TABLE",
      split = ",",
      description = "Only requests of these tables (default: all).")
  private List<String> tables = List.of();

  @Option(
      names = "--keyspaces",
      paramLabel = "KEYSPACE",
      split = ",",
      description = "Only requests of all tables of these keyspaces.")
  private List<String> keyspaces = List.of();

  private CanaryChoice choice;

  @Override
  protected void prepare() {
    double part = TypedShare.of("SHARE", share.strip()).orElse(-1);
    if (!(part >= 0 && part <= 1)) {
      throw new ConfigException("command line", 0, "SHARE", share, "a share from 0% to 100%");
    }
    for (String keyspace : keyspaces) {
      check("--keyspaces", keyspace, "\\w+", "KEYSPACE");
    }
    for (String table : tables) {
      check("--tables", table, "\\w+\\.\\w+", "KEYSPACE.TABLE");
    }
    choice = new CanaryChoice(Set.copyOf(keyspaces), Set.copyOf(tables), part);
  }

  private static void check(String option, String value, String form, String allowed) {
    if (!value.matches(form)) {
      throw new ConfigException("command line", 0, option, value, allowed);
    }
  }

  @Override
  CanaryChoice choice() {
    return choice;
  }

  /**
   * All keyspaces and tables; clients read materialized views like tables.
   *
   * @param node returns the rows of a query
   */
  static Set<String> names(Function<String, List<Map<String, Object>>> node) {
    Set<String> names = new LinkedHashSet<>();
    for (String kind : List.of("table", "view")) {
      node.apply("SELECT keyspace_name, %s_name FROM system_schema.%ss".formatted(kind, kind))
          .forEach(
              row -> {
                names.add(String.valueOf(row.get("keyspace_name")));
                names.add(row.get("keyspace_name") + "." + row.get(kind + "_name"));
              });
    }
    return names;
  }

  /** A canary of a missing table would have no effect, without an error. */
  @Override
  void look(Cluster opened, List<Member> nodes) {
    if (keyspaces.isEmpty() && tables.isEmpty()) {
      return;
    }
    check(known(opened.ask(nodes, member -> answer(member::rows))));
  }

  /** The names that a node knows; empty if it does not answer. */
  static Set<String> answer(Function<String, List<Map<String, Object>>> node) {
    try {
      return names(node);
    } catch (NodeException e) {
      return Set.of();
    }
  }

  /** The first answer with names, because all nodes have the same schema; empty for none. */
  static Set<String> known(List<Set<String>> answers) {
    return answers.stream().filter(names -> !names.isEmpty()).findFirst().orElse(Set.of());
  }

  private void check(Set<String> known) {
    List<String> missing = new ArrayList<>(keyspaces);
    missing.addAll(tables);
    missing.removeIf(known::contains);
    if (!known.isEmpty() && !missing.isEmpty()) {
      throw new ConfigException(
          "command line",
          0,
          tables.contains(missing.get(0)) ? "--tables" : "--keyspaces",
          missing.get(0),
          "existing names; they are case-sensitive, as in system_schema.tables and views");
    }
  }
}
