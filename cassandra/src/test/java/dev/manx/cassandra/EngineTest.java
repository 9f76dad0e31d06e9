/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.facts.Ticket;
import org.junit.jupiter.api.Test;

class EngineTest {
  @Test
  void penaltiesAreToldFromReadsByTheirIds() {
    assertThat(Engine.isPenalty(ticket(Long.MIN_VALUE + 1))).isTrue();
    assertThat(Engine.isPenalty(ticket(Long.MIN_VALUE + 1_000_000_000_000L))).isTrue();
    assertThat(Engine.isPenalty(ticket(-1_000_000_000_000L))).as("a local read").isFalse();
    assertThat(Engine.isPenalty(ticket(17))).as("a message").isFalse();
  }

  private static Ticket ticket(long id) {
    Ticket ticket = new Ticket();
    ticket.messageId = id;
    return ticket;
  }
}
