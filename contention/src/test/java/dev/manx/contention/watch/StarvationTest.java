/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.contention.proc.ProcThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule, computed by hand on invented samples of one second. */
class StarvationTest {
  private final List<ProcThread> before = new ArrayList<>();
  private final List<ProcThread> after = new ArrayList<>();
  private double idle = 0.02;

  private void thread(String name, double ran, double waited, int left) {
    thread(name, 'S', ran, waited, left);
  }

  private void thread(String name, char state, double ran, double waited, int left) {
    int tid = 100 + before.size();
    before.add(new ProcThread(tid, name, state, false, 0, 1, "0", 5_000, 6_000, 10, 10));
    after.add(
        new ProcThread(
            tid,
            name,
            state,
            false,
            0,
            1,
            "0",
            5_000 + (long) (ran * 1e9),
            6_000 + (long) (waited * 1e9),
            10 + left,
            20));
  }

  private Starvation found() {
    return Starvation.in(
        ProcessActivity.between(
            new ProcessActivity.Snapshot(0, before, Map.of(0, 7.0, 1, 7.0)),
            new ProcessActivity.Snapshot(1_000_000_000L, after, Map.of(0, 7 + idle, 1, 7.9))));
  }

  @Test
  void twoSpinnersAndTwoStarved() {
    thread("boosted-0", 0.49, 0.50, 1);
    thread("boosted-1", 0.48, 0.51, 0);
    thread("waiter-0", 0.01, 0.97, 5);
    thread("waiter-1", 0.002, 0.60, 3);
    thread("idle", 0, 0, 0);
    Starvation found = found();
    assertThat(found.flagged()).isTrue();
    assertThat(found.spinning())
        .extracting(t -> t.now().name())
        .containsExactly("boosted-0", "boosted-1");
    assertThat(found.starving())
        .extracting(t -> t.now().name())
        .containsExactly("waiter-0", "waiter-1");
    assertThat(found.words())
        .contains("2 threads keep")
        .contains("2 others starve")
        .contains("boosted-0 (100)");
  }

  /** The kernel has not yet recorded a wait that has not ended. */
  @Test
  void aThreadThatGetsNoCoreStarvesToo() {
    thread("spinner", 0.99, 0.01, 0);
    thread("starved", 'R', 0, 0, 0);
    assertThat(found().flagged()).isTrue();
    assertThat(found().starving().get(0).waited()).isEqualTo(1);
  }

  @Test
  void computingOnEqualTermsIsFine() {
    for (int i = 0; i < 4; i++) {
      thread("compute-" + i, 0.25, 0.75, 0);
    }
    assertThat(found().atLimit()).isTrue();
    assertThat(found().flagged()).isFalse();
  }

  @Test
  void aBusyServerWhoseThreadsWaitForRequestsIsFine() {
    thread("worker-0", 0.45, 0.40, 900);
    thread("worker-1", 0.45, 0.40, 900);
    thread("worker-2", 0.02, 0.35, 100);
    assertThat(found().flagged()).isFalse();
  }

  @Test
  void aSpinnerOnASpareCoreIsHarmless() {
    idle = 0.2;
    thread("spinner", 0.70, 0.25, 0);
    thread("other", 0.01, 0.35, 3);
    assertThat(found().atLimit()).isFalse();
    assertThat(found().flagged()).isFalse();
  }

  @Test
  void aThreadThatIsNewOrHasARecycledIdIsNotCompared() {
    thread("spinner", 0.99, 0, 0);
    ProcThread now = after.get(0);
    after.set(0, new ProcThread(now.tid(), "new", 'R', false, 0, 2, "0", now.ranNanos(), 0, 0, 0));
    ProcessActivity look =
        ProcessActivity.between(
            new ProcessActivity.Snapshot(0, before, Map.of(0, 7.0, 1, 7.0)),
            new ProcessActivity.Snapshot(1_000_000_000L, after, Map.of(0, 7 + idle, 1, 7.9)));
    assertThat(look.threads()).isEmpty();
    assertThat(Starvation.in(look).flagged()).isFalse();
  }
}
