/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import dev.manx.policy.strategy.Presets;

/** Preset {@code manx-tied}, whose copies also go to nodes with busy cores, as test nodes are. */
final class TiedOnBusyCores {
  /** The document of the strategy. */
  static final String DOCUMENT =
      Presets.find("manx-tied")
          .orElseThrow()
          .document()
          .replace("policy: fanout.tied,", "policy: fanout.tied, most-cores: 100%,");

  private TiedOnBusyCores() {}
}
