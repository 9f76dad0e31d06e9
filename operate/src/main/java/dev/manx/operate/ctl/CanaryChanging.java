/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.canary.CanaryChoice;
import dev.manx.operate.look.NodeState;
import dev.manx.policy.config.ConfigException;

/** A command that sets another canary. */
abstract class CanaryChanging extends Changing {
  private static final String ROW = Change.CANARY;

  /** The canary to set. */
  abstract CanaryChoice choice();

  @Override
  final String what() {
    return "canary " + choice().words();
  }

  @Override
  final Change passing() {
    return new Change(
        ROW, choice().value(), state -> CanaryChoice.words(state.row(ROW)), this::isAsAsked, false);
  }

  private boolean isAsAsked(NodeState state) {
    try {
      return CanaryChoice.parse(state.row(ROW)).equals(choice());
    } catch (ConfigException e) {
      return false;
    }
  }

  @Override
  final String hint() {
    return "This lasts until a node restarts; --persist, or `plugin.canary` in its manx.yaml, keeps it.";
  }
}
