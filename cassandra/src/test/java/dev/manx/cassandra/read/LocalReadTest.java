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
        .as("executed, but behind another replica's answer that is being recorded")
        .isEqualTo(Outcome.ANSWERED);
    assertThat(LocalRead.outcome(false, null, false))
        .as("dropped without a reason")
        .isEqualTo(Outcome.TIMED_OUT);
    assertThat(LocalRead.outcome(false, RequestFailureReason.UNKNOWN, false))
        .isEqualTo(Outcome.FAILED);
    assertThat(LocalRead.outcome(false, RequestFailureReason.UNKNOWN, true))
        .as("it failed, despite other answers")
        .isEqualTo(Outcome.FAILED);
  }

  /** Ids of messages are ints, half of them negative: {@code Message.nextId}. */
  @Test
  void itsTicketHasTheIdOfNoMessage() {
    ReadDescriber describer = new ReadDescriber(null);
    assertThat(describer.newTicket()).isLessThan(Integer.MIN_VALUE);
    assertThat(describer.newTicket()).isLessThan(Integer.MIN_VALUE);
  }
}
