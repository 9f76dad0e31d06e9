/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.invalidation.Invalidations;
import dev.manx.client.invalidation.KeyText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies an application's invalidations and puts of one backend: here, in the second level and,
 * with a channel, on the other servers. Also applies messages from those. Thread-safe.
 */
final class Writes<K, V> {
  private static final Logger LOGGER = LoggerFactory.getLogger(Writes.class);

  private final BackendSpec<K, V> spec;
  private final Owners<K, V> owners;
  private final BackendLevel<K, V> below;
  private final BackendCounters counters;
  private volatile Invalidations shared;

  Writes(
      BackendSpec<K, V> spec,
      Owners<K, V> owners,
      BackendLevel<K, V> below,
      BackendCounters counters) {
    this.spec = spec;
    this.owners = owners;
    this.below = below;
    this.counters = counters;
  }

  CompletionStage<Void> invalidate(List<K> keys) {
    return keys.isEmpty() ? owners.invalidate(keys) : carryOut(keys, () -> owners.invalidate(keys));
  }

  CompletionStage<Void> invalidateAll() {
    return carryOut(
        below.forgetAll(),
        owners::invalidateAll,
        shared,
        to -> to.announce(spec.name(), List.of()));
  }

  CompletionStage<Void> put(Map<K, V> values) {
    if (values.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    // If two servers put, the order of the writes is unknown here: the other servers ask the
    // backend.
    List<K> keys = List.copyOf(values.keySet());
    return carryOut(keys, () -> owners.put(values));
  }

  private CompletionStage<Void> carryOut(List<K> keys, Supplier<CompletionStage<Void>> here) {
    Invalidations to = shared;
    Named named = to == null ? Named.unknown(keys.size()) : named(keys);
    return carryOut(
        below.forget(keys, named.texts), here, to, with -> announce(with, named.texts, named.why));
  }

  /**
   * Applies a change here and notifies the other servers.
   *
   * @param there the change in the second level, begun first, so that no later load looks there.
   *     The other servers, which may look there as soon as they have removed the keys, are notified
   *     after it
   * @param to the other servers; null: none
   * @param publish notifies them: on the thread on which the second level answers, because threads
   *     for application code may all be blocked. Runs no application code
   */
  private static CompletionStage<Void> carryOut(
      CompletionStage<Void> there,
      Supplier<CompletionStage<Void>> here,
      Invalidations to,
      Function<Invalidations, CompletionStage<Void>> publish) {
    CompletionStage<Void> mine = here.get().thenCombine(there, (forgotten, alsoThere) -> null);
    if (to == null) {
      return mine;
    }
    CompletionStage<Void> published =
        there.handle((done, error) -> (Void) null).thenCompose(done -> publish.apply(to));
    return mine.thenCombine(published, (forgotten, alsoPublished) -> null);
  }

  /**
   * The second level removed keys after the other servers were notified.
   *
   * @param texts as passed to {@link BackendLevel#forget}; empty: all keys
   */
  void forgottenLate(List<String> texts) {
    Invalidations to = shared;
    if (to != null) {
      CompletionStage<Void> unused =
          texts.isEmpty() ? to.announce(spec.name(), texts) : announce(to, texts, null);
    }
  }

  /**
   * Keys as text.
   *
   * @param texts of the keys; null for a key that cannot be written
   * @param why the first failure to write a key; null: none
   */
  private record Named(List<String> texts, Throwable why) {
    static Named unknown(int keys) {
      return new Named(Collections.nCopies(keys, null), null);
    }
  }

  /** Calls the application's {@link KeyText}, so only on the thread of its caller. */
  private Named named(List<K> keys) {
    KeyText<K> form = spec.keys().orElse(null);
    if (form == null) {
      return Named.unknown(keys.size());
    }
    List<String> texts = new ArrayList<>(keys.size());
    Throwable why = null;
    for (K key : keys) {
      String text = null;
      try {
        text = Objects.requireNonNull(form.text(key), "text of a key");
      } catch (Throwable e) {
        why = why == null ? e : why;
      }
      texts.add(text);
    }
    return new Named(texts, why);
  }

  private CompletionStage<Void> announce(Invalidations to, List<String> texts, Throwable why) {
    if (spec.keys().isEmpty()) {
      return to.announceCoarse(spec.name());
    }
    // The other servers must remove a key even if it has no text.
    return texts.contains(null)
        ? to.announceUnwritten(spec.name(), why)
        : to.announce(spec.name(), texts);
  }

  /** Connects invalidations with the other servers, in both directions. */
  void share(Invalidations with) {
    if (spec.keys().isEmpty()) {
      LOGGER.warn(
          "backend {} has no KeyText: invalidating or putting a key removes all keys of the"
              + " backend on the other servers",
          spec.name());
    }
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
