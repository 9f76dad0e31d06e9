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
 * What an application says of one backend's keys that have changed, carried out here, in the second
 * level and, if there is a channel, by the other servers, whose messages it carries out too. Any
 * thread.
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

  CompletionStage<Void> put(K key, V value) {
    // Of two servers that put, which wrote last is not known here: the others ask the backend.
    return carryOut(below.forget(List.of(key)), () -> owners.put(Map.of(key, value)), List.of(key));
  }

  /**
   * Carries it out here and tells the others.
   *
   * @param there in the second level, begun first, so that no load that begins later looks there;
   *     the others, who may look there as soon as they have forgotten, are told after it
   * @param keys none: all
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
    CompletionStage<Void> told =
        known.isDone()
            ? tell(to, keys)
            : known.thenComposeAsync(done -> tell(to, keys), lanes.done());
    return mine.thenCombine(told, (forgotten, alsoTold) -> null);
  }

  /** The second level has forgotten keys later than the others were told. */
  void forgottenLate(List<K> keys) {
    Invalidations to = shared;
    if (to != null) {
      CompletionStage<Void> unused = tell(to, keys);
    }
  }

  private CompletionStage<Void> tell(Invalidations to, List<K> keys) {
    List<String> texts = new ArrayList<>(keys.size());
    try {
      if (spec.keys().isPresent()) {
        for (K key : keys) {
          texts.add(Objects.requireNonNull(spec.keys().get().text(key), "text of a key"));
        }
      }
    } catch (Throwable e) {
      // The others must forget the key, whatever it is called.
      return to.announceUnwritten(spec.name(), e);
    }
    return to.announce(spec.name(), texts);
  }

  /** From now on they reach other servers, and theirs this one. */
  void share(Invalidations with) {
    with.add(
        spec.name(),
        new Invalidations.Target() {
          @Override
          public void forget(List<String> texts) {
            try {
              CompletionStage<Void> unused =
                  owners.invalidate(texts.stream().map(spec.keys().orElseThrow()::key).toList());
            } catch (Throwable e) {
              forgetAll();
            }
          }

          @Override
          public void forgetAll() {
            try {
              CompletionStage<Void> unused = owners.invalidateAll();
            } catch (Throwable e) {
              counters.lookUpFailures.increment();
            }
          }
        });
    shared = with;
  }
}
