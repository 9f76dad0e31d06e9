/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.Backend;
import dev.manx.client.FanoutRequest;
import dev.manx.client.QueryResults;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.load.RequestOutcome;
import dev.manx.load.Target;
import dev.manx.workload.PlannedRequest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One arm's cache as a target of the load generator: a request sends all its queries at once, and
 * is answered with the last one. Every value is checked.
 */
final class LiveTarget implements Target {
  /** Receives the latency of a request from its intended start, and that start. */
  interface Listener {
    void ended(long intendedNanos, long latencyNanos);
  }

  private final List<LiveServer> servers;
  private final Map<BackendPlan, LiveBackend> checks;
  private final QueryPlans plans;
  private final Listener listener;
  private final boolean erring;
  private final long warmUpNanos;
  // The run's start on this clock, from the smallest delay of a request.
  private final AtomicLong startNanos = new AtomicLong(Long.MAX_VALUE);

  /**
   * Creates a target for the requests of one turn.
   *
   * @param servers application servers, which receive the requests in turn
   * @param erring whether backends have injected errors, for which a page has a fallback
   * @param warmUpNanos warm-up before the window
   */
  LiveTarget(
      List<LiveServer> servers,
      Map<BackendPlan, LiveBackend> checks,
      QueryPlans plans,
      Listener listener,
      boolean erring,
      long warmUpNanos) {
    this.erring = erring;
    this.warmUpNanos = warmUpNanos;
    this.servers = servers;
    this.checks = checks;
    this.plans = plans;
    this.listener = listener;
  }

  @Override
  public CompletionStage<RequestOutcome> send(PlannedRequest request) {
    long intended = request.intendedNanos();
    startNanos.accumulateAndGet(System.nanoTime() - intended, Math::min);
    LiveServer server = servers.get((int) (request.sequence() % servers.size()));
    FanoutRequest open = server.cache().request();
    List<CompletableFuture<RequestOutcome>> parts = new ArrayList<>();
    plans
        .of(request.sequence(), intended - warmUpNanos)
        .forEach((plan, keys) -> parts.add(query(server, open, plan, keys)));
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .handle(
            (done, failure) -> {
              open.complete();
              RequestOutcome outcome = failure == null ? sum(parts) : failed(failure);
              if (!outcome.failed()) {
                listener.ended(intended, System.nanoTime() - startNanos.get() - intended);
              }
              return outcome;
            });
  }

  private CompletableFuture<RequestOutcome> query(
      LiveServer server, FanoutRequest open, BackendPlan plan, Set<Integer> keys) {
    LiveBackend check = checks.get(plan);
    Backend<Integer, byte[]> backend = server.backends().get(plan);
    return erring
        ? open.queryEach(backend, keys)
            .thenApply(results -> checked(check, withoutFallbacks(keys, results), results.found()))
        : open.query(backend, keys).thenApply(found -> checked(check, keys, found));
  }

  /** The keys that must be present; any failure except an injected one fails the request. */
  private static Set<Integer> withoutFallbacks(
      Set<Integer> keys, QueryResults<Integer, byte[]> results) {
    Set<Integer> there = new LinkedHashSet<>(keys);
    results
        .failed()
        .forEach(
            (key, why) -> {
              if (!(why instanceof FaultSwitch.AskedToFail)) {
                throw new CompletionException(why);
              }
              there.remove(key);
            });
    return there;
  }

  private static RequestOutcome checked(
      LiveBackend backend, Set<Integer> keys, Map<Integer, byte[]> found) {
    int wrong = 0;
    int missing = 0;
    for (int key : keys) {
      byte[] value = found.get(key);
      if (value == null) {
        missing++;
      } else if (!backend.right(key, value)) {
        wrong++;
      }
    }
    return new RequestOutcome(RequestOutcome.Kind.OK, found.size(), wrong, missing, 0, "");
  }

  private static RequestOutcome sum(List<CompletableFuture<RequestOutcome>> parts) {
    int rows = 0;
    int wrong = 0;
    int missing = 0;
    for (CompletableFuture<RequestOutcome> part : parts) {
      rows += part.join().rows();
      wrong += part.join().wrongRows();
      missing += part.join().missingRows();
    }
    return new RequestOutcome(RequestOutcome.Kind.OK, rows, wrong, missing, 0, "");
  }

  private static RequestOutcome failed(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    String name = cause.getClass().getSimpleName();
    return cause instanceof TimeoutException
        ? RequestOutcome.timedOut(name)
        : RequestOutcome.error(name);
  }
}
