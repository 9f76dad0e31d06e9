/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.invalidation.Invalidations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Applies an application's invalidations and puts of one backend: here, in the second level and,
 * with a channel, on the other servers. Also applies messages from those. Thread-safe.
 */
final class Writes<K, V> {
  private final BackendSpec<K, V> spec;
  private final Owners<K, V> owners;
  private final Below<K, V> below;
  private final BackendCounters counters;
  private final HandOver.Lanes lanes;
  private volatile Invalidations shared;

  Writes(
      BackendSpec<K, V> spec,
      Owners<K, V> owners,
      Below<K, V> below,
      BackendCounters counters,
      HandOver.Lanes lanes) {
    this.spec = spec;
    this.owners = owners;
    this.below = below;
    this.counters = counters;
    this.lanes = lanes;
  }

  CompletionStage<Void> invalidate(List<K> keys) {
    return keys.isEmpty()
        ? owners.invalidate(keys)
        : carryOut(below.forget(keys), () -> owners.invalidate(keys), keys);
  }

  CompletionStage<Void> invalidateAll() {
    return carryOut(below.forgetAll(), owners::invalidateAll, List.of());
  }

  CompletionStage<Void> put(Map<K, V> values) {
    if (values.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    // If two servers put, the order of the writes is unknown here: the other servers ask the
    // backend.
    List<K> keys = List.copyOf(values.keySet());
    return carryOut(below.forget(keys), () -> owners.put(values), keys);
  }

  /**
   * Applies a change here and notifies the other servers.
   *
   * @param there the change in the second level, begun first, so that no later load looks there.
   *     The other servers, which may look there as soon as they have removed the keys, are notified
   *     after it
   * @param keys empty: all
   */
  private CompletionStage<Void> carryOut(
      CompletionStage<Void> there, Supplier<CompletionStage<Void>> here, List<K> keys) {
    CompletionStage<Void> mine = here.get().thenCombine(there, (forgotten, alsoThere) -> null);
    Invalidations to = shared;
    if (to == null) {
      return mine;
    }
    CompletableFuture<Void> known =
        there.handle((done, error) -> (Void) null).toCompletableFuture();
    CompletionStage<Void> published =
        known.isDone()
            ? publish(to, keys)
            : known.thenComposeAsync(done -> publish(to, keys), lanes.done());
    return mine.thenCombine(published, (forgotten, alsoPublished) -> null);
  }

  /** The second level removed keys after the other servers were notified. */
  void forgottenLate(List<K> keys) {
    Invalidations to = shared;
    if (to != null) {
      CompletionStage<Void> unused = publish(to, keys);
    }
  }

  private CompletionStage<Void> publish(Invalidations to, List<K> keys) {
    List<String> texts = new ArrayList<>(keys.size());
    try {
      if (spec.keys().isPresent()) {
        for (K key : keys) {
          texts.add(Objects.requireNonNull(spec.keys().get().text(key), "text of a key"));
        }
      }
    } catch (Throwable e) {
      // The other servers must remove the key even if it has no text.
      return to.announceUnwritten(spec.name(), e);
    }
    return to.announce(spec.name(), texts);
  }

  /** Connects invalidations with the other servers, in both directions. */
  void share(Invalidations with) {
    with.add(
        spec.name(),
        new Invalidations.Target() {
          @Override
          public void forget(List<String> texts) {
            try {
              counted(
                  owners.invalidate(texts.stream().map(spec.keys().orElseThrow()::key).toList()));
            } catch (Throwable e) {
              forgetAll();
            }
          }

          @Override
          public void forgetAll() {
            try {
              counted(owners.invalidateAll());
            } catch (Throwable e) {
              counters.notForgotten(e);
            }
          }

          private void counted(CompletionStage<Void> forgotten) {
            CompletionStage<Void> unused =
                forgotten.whenComplete(
                    (done, failure) -> {
                      if (failure != null) {
                        counters.notForgotten(failure);
                      }
                    });
          }
        });
    shared = with;
  }
}
