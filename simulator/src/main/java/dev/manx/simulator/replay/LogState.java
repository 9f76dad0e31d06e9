/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.replay;

import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.LogHead;

/**
 * The state of a log that was read to its end.
 *
 * @param head its first line
 * @param lines whole lines read
 * @param damaged lines left out because they are damaged
 * @param firstDamaged the first of them; 0 if there is none
 * @param cut whether the last line is not whole
 * @param end why it ends and what it lacks, as its last line tells; empty if it has none
 */
public record LogState(
    LogHead head, long lines, long damaged, long firstDamaged, boolean cut, String end) {
  static LogState of(DecisionLog log) {
    String end =
        log.end() == null
            ? ""
            : "%s, %s recorded, %s dropped"
                .formatted(
                    log.end().text("why"), log.end().text("recorded"), log.end().text("dropped"));
    return new LogState(
        log.head(), log.lineNumber(), log.damaged(), log.firstDamaged(), log.isCut(), end);
  }
}
