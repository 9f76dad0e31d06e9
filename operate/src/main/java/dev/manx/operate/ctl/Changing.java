/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import java.util.List;
import picocli.CommandLine.Option;

/** A setting that a restart resets unless it is persisted. */
abstract class Changing extends SettingCommand {
  @Option(
      names = "--persist",
      description = "Keep it after a restart, in a file of Manx on each node.")
  private boolean persist;

  /** The change without persistence. */
  abstract Change passing();

  /** A hint for operators who did not persist the change; empty for none. */
  String hint() {
    return "";
  }

  @Override
  final Change change() {
    return persist ? passing().persistent() : passing();
  }

  @Override
  final void hint(Change change, List<ChangeOutcome> set) {
    List<ChangeOutcome> passing =
        set.stream().filter(outcome -> !persist || !outcome.isDone()).toList();
    if (passing.size() < set.size()) {
      say(
          "Persisted: it remains after a restart, and overrides manx.yaml"
              + change.exceptInFile()
              + ". To end this: ./manx ctl reset-persisted "
              + change.row());
    }
    if (!persist && !hint().isEmpty()) {
      say(hint());
    }
    PersistedHints.of(change, passing).forEach(this::say);
  }
}
