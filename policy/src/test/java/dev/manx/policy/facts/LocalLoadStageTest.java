/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The counts of a read stage that runs some of its reads without reporting them. */
@Timeout(30)
class LocalLoadStageTest {
  private static final long COST = 1_000;

  private final LocalLoad load = new LocalLoad();
  private long here;
  private long left;

  LocalLoadStageTest() {
    load.countedBy(
        new LocalLoad.Stage() {
          @Override
          public long pendingReads() {
            return here;
          }

          @Override
          public long completedReads() {
            return left;
          }
        });
  }

  private void arrives() {
    here++;
    load.enqueued(COST);
  }

  private void leaves() {
    here--;
    left++;
  }

  @Test
  void aReadThatAnotherReplicaServesIsNeitherPendingNorCompleted() {
    arrives();
    arrives();
    load.ceded(COST);
    assertThat(load.pendingReads()).isEqualTo(1);
    assertThat(load.workAheadNanos()).isEqualTo(COST);
    load.passedOver();
    leaves();
    assertThat(load.pendingReads()).isEqualTo(1);
    assertThat(load.completedReads()).isZero();
    load.started(COST);
    leaves();
    assertThat(load.pendingReads()).isZero();
    assertThat(load.completedReads()).isEqualTo(1);
  }

  @Test
  void aReadThatIsTakenBackIsPendingAgain() {
    arrives();
    load.ceded(COST);
    load.takenBack(COST);
    assertThat(load.pendingReads()).isEqualTo(1);
    assertThat(load.workAheadNanos()).isEqualTo(COST);
    load.started(COST);
    leaves();
    assertThat(load.completedReads()).isEqualTo(1);
  }

  @Test
  void aReadWhoseRequestHasAnotherReplicasAnswerIsNotCompleted() {
    arrives();
    load.unserved();
    load.dropped(COST);
    leaves();
    assertThat(load.pendingReads()).isZero();
    assertThat(load.completedReads()).isZero();
  }
}
