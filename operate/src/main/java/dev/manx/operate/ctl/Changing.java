/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import java.util.List;
import picocli.CommandLine.Option;

/** Sets what a node forgets when it restarts, unless it is persisted. */
abstract class Changing extends Setting {
  @Option(
      names = "--persist",
      description = "Keep it beyond a restart, in a file of Manx's own on each node.")
  private boolean persist;

  /** The change, without regard to restarts. */
  abstract Change passing();

  /** A hint for operators who have not persisted the change; empty for none. */
  String hint() {
    return "";
  }

  @Override
  final Change change() {
    return persist ? passing().persistent() : passing();
  }

  @Override
  final void hint(Change change, List<ChangeOutcome> done) {
    if (persist) {
      say(
          "Persisted: it holds after a restart, and precedes manx.yaml. To end that: ./manx ctl"
              + " reset-persisted "
              + change.row());
      return;
    }
    if (!hint().isEmpty()) {
      say(hint());
    }
    List<String> undone =
        done.stream()
            .map(ChangeOutcome::after)
            .filter(change::isUndoneByRestart)
            .map(after -> after.node() + " (" + change.shown().apply(after.asPersisted()) + ")")
            .toList();
    if (!undone.isEmpty()) {
      say(
          "Another one is persisted, and returns at a restart, on "
              + String.join(", ", undone)
              + ": --persist replaces it.");
    }
  }
}
