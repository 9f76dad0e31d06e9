/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.PlannedRequest;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** A target that serves one request after another, first-in first-out, in virtual time. */
final class SingleServer implements Target {
  private final VirtualTime time;
  private final LongSupplier serviceNanos;
  private long freeAtNanos;

  SingleServer(VirtualTime time, LongSupplier serviceNanos) {
    this.time = time;
    this.serviceNanos = serviceNanos;
  }

  static SingleServer exponential(VirtualTime time, double meanNanos, long seed) {
    Random random = new Random(seed);
    return new SingleServer(time, () -> Math.round(-Math.log(1 - random.nextDouble()) * meanNanos));
  }

  /** Nothing is served before this time. */
  void stallUntil(long nanoTime) {
    freeAtNanos = Math.max(freeAtNanos, nanoTime);
  }

  @Override
  public CompletionStage<RequestOutcome> send(PlannedRequest request) {
    freeAtNanos = Math.max(freeAtNanos, time.nanoTime()) + serviceNanos.getAsLong();
    CompletableFuture<RequestOutcome> answer = new CompletableFuture<>();
    time.at(freeAtNanos, () -> answer.complete(RequestOutcome.ok(request.reads())));
    return answer;
  }
}
