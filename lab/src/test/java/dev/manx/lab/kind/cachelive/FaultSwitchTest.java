/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Loader;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.lab.kind.cachelive.LiveSettings.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FaultSwitchTest {
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  private final Loader<Integer, byte[]> fine =
      keys -> CompletableFuture.completedFuture(Map.of(keys.get(0), new byte[1]));

  private static BackendPlan plan(String name) {
    return new BackendPlan(name, Kind.FILE, 100, 100, 1, 1, 0.9, 1, 0);
  }

  private static CompletableFuture<?> ask(Loader<Integer, byte[]> loader) {
    return loader.loadAll(List.of(1)).toCompletableFuture();
  }

  @Test
  void thePartThatWasAskedForFailsWhileItIsOn() {
    FaultSwitch faults =
        new FaultSwitch(
            new BackendFaults(
                Optional.empty(),
                Optional.of(new BackendFaults.Errors("a", 0.6, 0, 1)),
                Optional.empty()));
    Loader<Integer, byte[]> erring = faults.over(plan("a"), fine);
    assertThat(faults.over(plan("b"), fine)).isSameAs(fine);
    assertThat(ask(erring)).isCompleted();
    faults.errors(true);
    int failed = 0;
    for (int i = 0; i < 1_000; i++) {
      failed += ask(erring).isCompletedExceptionally() ? 1 : 0;
    }
    assertThat(failed).isBetween(599, 601);
    faults.errors(false);
    assertThat(ask(erring)).isCompleted();
  }

  @Test
  void aLateLoadHoldsNoThread() throws Exception {
    FaultSwitch faults =
        new FaultSwitch(
            new BackendFaults(
                Optional.of(new BackendFaults.Late("a", HOUR, 0, 1)),
                Optional.empty(),
                Optional.empty()));
    Loader<Integer, byte[]> late = faults.over(plan("a"), fine);
    assertThat(faults.over(plan("b"), fine)).isSameAs(fine);
    assertThat(ask(late)).isCompleted();
    faults.late(true);
    for (int i = 0; i < 1_000; i++) {
      assertThat(ask(late)).isNotDone();
    }
    FaultSwitch soon =
        new FaultSwitch(
            new BackendFaults(
                Optional.of(new BackendFaults.Late("a", 1_000, 0, 1)),
                Optional.empty(),
                Optional.empty()));
    soon.late(true);
    assertThat(ask(soon.over(plan("a"), fine)).get(30, TimeUnit.SECONDS)).isNotNull();
  }
}
