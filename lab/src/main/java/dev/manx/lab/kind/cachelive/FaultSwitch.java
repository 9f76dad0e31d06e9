/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.Loader;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Delays loads and makes them fail while switched on, for all arms. Any thread. */
final class FaultSwitch {
  /** Thrown for a load that must fail. */
  static final class AskedToFail extends RuntimeException {
    private static final long serialVersionUID = 1;

    AskedToFail(String backend) {
      super(backend + " was asked to fail", null, false, false);
    }
  }

  private final BackendFaults faults;
  private final AtomicLong loads = new AtomicLong();
  private volatile boolean late;
  private volatile boolean errors;

  FaultSwitch(BackendFaults faults) {
    this.faults = faults;
  }

  void late(boolean on) {
    late = on;
  }

  void errors(boolean on) {
    errors = on;
  }

  /** The backend's loader with faults. */
  Loader<Integer, byte[]> over(BackendPlan plan, Loader<Integer, byte[]> loader) {
    Loader<Integer, byte[]> erring =
        faults.errors().filter(one -> one.backend().equals(plan.name())).isPresent()
            ? keys -> failsNow() ? failed(plan) : loader.loadAll(keys)
            : loader;
    return faults
        .late()
        .filter(one -> one.backend().equals(plan.name()))
        .<Loader<Integer, byte[]>>map(
            one -> keys -> late ? later(erring.loadAll(keys), one.byNanos()) : erring.loadAll(keys))
        .orElse(erring);
  }

  /** The requested fraction, spread evenly. */
  private boolean failsNow() {
    if (!errors) {
      return false;
    }
    double part = faults.errors().orElseThrow().part();
    long before = loads.getAndIncrement();
    return Math.floor((before + 1) * part) > Math.floor(before * part);
  }

  private static CompletionStage<Map<Integer, byte[]>> failed(BackendPlan plan) {
    return CompletableFuture.failedFuture(new AskedToFail(plan.name()));
  }

  private static CompletionStage<Map<Integer, byte[]>> later(
      CompletionStage<? extends Map<Integer, byte[]>> stage, long nanos) {
    CompletableFuture<Map<Integer, byte[]>> result = new CompletableFuture<>();
    Executor delayed = CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS);
    stage.whenCompleteAsync(
        (values, error) -> {
          if (error == null) {
            result.complete(values);
          } else {
            result.completeExceptionally(error);
          }
        },
        delayed);
    return result;
  }
}
