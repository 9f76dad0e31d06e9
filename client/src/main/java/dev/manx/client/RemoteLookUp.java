/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A query's look-up in a remote store. The query continues on threads of the cache: never on the
 * thread that delivered the store's answer, unless the answer is there at once.
 */
final class RemoteLookUp<K, V> {
  private final Query<K, V> query;
  private final Backend<K, V> backend;
  private final HandOver.Lanes lanes;

  RemoteLookUp(Query<K, V> query, Backend<K, V> backend) {
    this.query = query;
    this.backend = backend;
    lanes = backend.lanes();
  }

  /** Starts the look-up; the query continues or ends in every case. */
  void begin(Collection<? extends K> keys) {
    CompletableFuture<Map<K, V>> look =
        backend.lookUps().all(keys, lanes.answers()).toCompletableFuture();
    boolean here = look.isDone();
    CompletableFuture<?> unused =
        look.thenAccept(there -> orEnd(() -> goOn(query.lookedUp(keys, there), here)));
  }

  private void goOn(Set<K> missing, boolean here) {
    if (here) {
      query.loadMissing(missing);
    } else if (missing.isEmpty()) {
      Executor answers = lanes.answers().hereOr(lanes.answers());
      answers.execute(() -> orEnd(() -> query.loadMissing(missing)));
    } else {
      // The loader may block its caller.
      lanes
          .loads()
          .execute(
              () -> orEnd(() -> query.loadMissing(missing)),
              () -> orEnd(() -> query.giveUp(missing)));
    }
  }

  /** Runs a step; an exception of a key's equals or hashCode ends the query. */
  private void orEnd(Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      query.end(e);
    }
  }
}
