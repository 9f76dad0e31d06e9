/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.strategy.Presets;

/** Preset {@code manx-tied}, whose copies also go to nodes with busy cores, as test nodes are. */
final class TiedOnBusyCores {
  /** The document of the strategy. */
  static final String DOCUMENT = document();

  private TiedOnBusyCores() {}

  private static String document() {
    String policy = "policy: fanout.tied,";
    String preset = Presets.find("manx-tied").orElseThrow().document();
    assertThat(preset).contains(policy);
    return preset.replace(policy, policy + " most-cores: 100%,");
  }
}
