/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.RunException;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.NodeState.Hook;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Checks that nodes run an arm, from when it was set until a turn's end. Any thread. */
/* A breaker that opens makes its node run as stock, and the next switch closes it: without the
 * check at the end, such an arm would look healthy before each of its turns. */
final class ArmCheck {
  private final Map<Integer, NodeState> asSet = new ConcurrentHashMap<>();

  /**
   * Checks a node that was set to run an arm.
   *
   * @param index of the node, from 0
   * @param now its state
   * @throws RunException if it does not run the arm
   */
  void set(ClusterArm arm, int index, NodeState now) {
    check(arm, now);
    asSet.put(index, now);
  }

  /**
   * Checks a node that has run the arm that was set.
   *
   * @throws RunException if it has not run the arm all the time
   */
  void still(ClusterArm arm, int index, NodeState now) {
    String why = arm.acts() ? now.fellBackSince(asSet.get(index)) : "";
    if (!why.isEmpty()) {
      throw new RunException(
          now.node()
              + ": "
              + why
              + "; arm "
              + arm.name()
              + " ran as stock, so this turn is discarded");
    }
    check(arm, now);
  }

  private static void check(ClusterArm arm, NodeState now) {
    if (!arm.mode().label().equals(now.mode())) {
      throw new RunException(
          now.node()
              + " should be in mode "
              + arm.mode().label()
              + " for arm "
              + arm.name()
              + " and says '"
              + now.mode()
              + "': see its system.log");
    }
    now.hooks().forEach((name, hook) -> check(arm, now.node(), name, hook));
  }

  private static void check(ClusterArm arm, String node, String name, Hook hook) {
    // In shadow mode the snitch is called but not replaced.
    boolean hooked =
        arm.mode() == ClusterArm.Mode.ON
            || arm.mode() == ClusterArm.Mode.SHADOW && !name.equals("snitch");
    if (hook.state().equals("installed") != hooked) {
      throw new RunException(
          node
              + ": hook "
              + name
              + " is '"
              + hook.state()
              + "' ("
              + hook.detail()
              + ") though arm "
              + arm.name()
              + " wants it "
              + (hooked ? "installed" : "out of the path"));
    }
  }
}
