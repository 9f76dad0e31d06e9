/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A query's look into a store that is not in this process, and the threads on which the query goes
 * on: never on that which brought the store's answer, unless the caller has it already.
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

  /** Looks; whatever becomes of it, the query goes on or ends. */
  void begin(Collection<? extends K> keys) {
    CompletableFuture<Map<K, V>> look =
        backend.lookUpAll(keys, lanes.answers()).toCompletableFuture();
    boolean here = look.isDone();
    CompletableFuture<?> unused =
        look.thenAccept(there -> orEnd(() -> goOn(query.lookedUp(keys, there), here)));
  }

  private void goOn(Set<K> missing, boolean here) {
    if (here) {
      query.load(missing);
    } else if (missing.isEmpty()) {
      Executor answers = lanes.answers().hereOr(lanes.answers());
      answers.execute(() -> orEnd(() -> query.load(missing)));
    } else {
      // The loader may block its caller.
      lanes
          .loads()
          .execute(
              () -> orEnd(() -> query.load(missing)), () -> orEnd(() -> query.giveUp(missing)));
    }
  }

  /** What a key's equals or hashCode throws ends the query. */
  private void orEnd(Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      query.end(e);
    }
  }
}
