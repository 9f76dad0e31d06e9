/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.policy.strategy.Policies;
import dev.manx.policy.strategy.PolicyInfo;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code manx policies}: the registry, to read. */
@Command(
    name = "policies",
    mixinStandardHelpOptions = true,
    description = {
      "Lists every policy: name, what it does, where it comes from, where it can act.",
      "The names are the ones to write into a strategy; settings are in docs/policies.md."
    })
final class PoliciesCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    Terminal terminal = new Terminal();
    String family = "";
    for (PolicyInfo policy : Policies.all()) {
      if (!policy.family().equals(family)) {
        if (!family.isEmpty()) {
          terminal.line("");
        }
        family = policy.family();
      }
      terminal.line(
          String.format(
              Locale.ROOT,
              "%-26s %s%n%26s source: %s; acts at: %s",
              policy.name(),
              policy.summary(),
              "",
              policy.source(),
              policy.places().stream()
                  .map(place -> place.name().toLowerCase(Locale.ROOT))
                  .sorted()
                  .collect(Collectors.joining(", "))));
    }
    return 0;
  }
}
