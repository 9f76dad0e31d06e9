/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.facts.Ticket;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EngineTest {
  @Test
  void idsDistinguishPenaltiesFromReads() {
    assertThat(Engine.isPenalty(ticket(Long.MIN_VALUE + 1))).isTrue();
    assertThat(Engine.isPenalty(ticket(Long.MIN_VALUE + 1_000_000_000_000L))).isTrue();
    assertThat(Engine.isPenalty(ticket(-1_000_000_000_000L))).as("a local read").isFalse();
    assertThat(Engine.isPenalty(ticket(17))).as("a message").isFalse();
  }

  @ParameterizedTest
  @EnumSource(RequestFailureReason.class)
  void aFailureOfTheQueryDoesNotCountAgainstTheNode(RequestFailureReason reason) {
    boolean ofNode =
        reason == RequestFailureReason.UNKNOWN
            || reason == RequestFailureReason.TIMEOUT
            || reason == RequestFailureReason.NODE_DOWN;
    assertThat(Engine.isOfNode(reason)).isEqualTo(ofNode);
  }

  private static Ticket ticket(long id) {
    Ticket ticket = new Ticket();
    ticket.messageId = id;
    return ticket;
  }
}
