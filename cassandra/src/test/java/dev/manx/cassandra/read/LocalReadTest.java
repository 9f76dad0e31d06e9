/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine.Outcome;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.junit.jupiter.api.Test;

class LocalReadTest {
  @Test
  void anAnswerThatIsNotSeenYetIsAnAnswer() {
    assertThat(LocalRead.outcome(true, null, true)).isEqualTo(Outcome.ANSWERED);
    assertThat(LocalRead.outcome(false, null, true))
        .as("executed, but behind another replica's that is just being noted")
        .isEqualTo(Outcome.ANSWERED);
    assertThat(LocalRead.outcome(false, null, false))
        .as("dropped without a word")
        .isEqualTo(Outcome.TIMED_OUT);
    assertThat(LocalRead.outcome(false, RequestFailureReason.UNKNOWN, false))
        .isEqualTo(Outcome.FAILED);
    assertThat(LocalRead.outcome(false, RequestFailureReason.UNKNOWN, true))
        .as("it failed, whatever else was read")
        .isEqualTo(Outcome.FAILED);
  }
}
