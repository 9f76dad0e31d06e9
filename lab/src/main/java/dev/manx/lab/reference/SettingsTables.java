/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import dev.manx.policy.config.SettingTable;
import dev.manx.policy.facts.Exchange;
import dev.manx.policy.oracle.Forecast;
import dev.manx.policy.spi.PolicyInfo;
import java.util.List;
import java.util.stream.Collectors;

/** {@code docs/operate/policy-settings.md}: every setting of every policy, from the code. */
public final class SettingsTables {
  private static final String HEAD =
      """
      # Settings of the policies

      `./manx policies --settings` prints this page from the code. [policies.md](policies.md) explains the policies, and
      [configuration.md](configuration.md) explains how to write a strategy. `./manx policies NAME` prints the settings of
      one policy.
      """;

  private SettingsTables() {}

  /** The page, in Markdown. */
  public static String page(List<PolicyInfo> policies) {
    StringBuilder page = new StringBuilder(HEAD);
    String family = "";
    for (PolicyInfo policy : policies) {
      if (!policy.family().equals(family)) {
        family = policy.family();
        page.append("\n## ").append(family).append('\n');
        page.append(without(policies, family));
      }
      if (!policy.settings().isEmpty()) {
        page.append("\n`").append(policy.name()).append("`: ").append(policy.summary());
        page.append("\n\n").append(SettingTable.markdown(policy.settings()));
      }
    }
    page.append(
        "\n## oracles.forecast\n\nPart of every strategy: the service times at the start.\n\n");
    page.append(SettingTable.markdown(Forecast.SETTINGS));
    page.append("\n## exchange\n\nMessages between coordinators. ")
        .append("On a node, `interval` is at least 100ms and `most-keys` at most 4096.\n\n");
    return page.append(SettingTable.markdown(Exchange.SETTINGS)).toString();
  }

  private static String without(List<PolicyInfo> policies, String family) {
    String names =
        policies.stream()
            .filter(policy -> policy.family().equals(family) && policy.settings().isEmpty())
            .map(policy -> "`" + policy.name() + "`")
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "" : "\nWithout settings: " + names + ".\n";
  }
}
