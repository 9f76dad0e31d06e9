/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.replay;

import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.LogHead;

/**
 * The state of a log after it was read to its end.
 *
 * @param head its first line
 * @param lines complete lines read
 * @param damaged damaged lines, which were skipped
 * @param firstDamaged number of the first damaged line; 0 if there is none
 * @param cut whether the last line is incomplete
 * @param end reason of the end and missing events, from its last line; empty without one
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
