/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import dev.manx.client.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Invalidates one backend's keys in the second level, and retries until confirmed. Thread-safe. */
final class Forgetting {
  private static final int AT_ONCE = 500;
  private static final long FIRST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Access access;
  private final String epochName;
  private final UnaryOperator<String> names;
  private final Consumer<List<String>> late;
  private final UnconfirmedInvalidations unconfirmed;

  /**
   * @param epochName name of the epoch, without which no entry of the backend is valid
   * @param names converts key texts to names
   * @param late receives the labels of keys whose invalidation was confirmed only after it had
   *     failed; empty: all keys
   */
  Forgetting(
      Access access, String epochName, UnaryOperator<String> names, Consumer<List<String>> late) {
    this.access = access;
    this.epochName = epochName;
    this.names = names;
    this.late = late;
    unconfirmed = access.unconfirmed(epochName);
  }

  /** Whether the second level may be queried for a key. */
  boolean mayAsk(String text) {
    return !unconfirmed.contains(text);
  }

  /** Whether the second level may be queried at all. */
  boolean mayAsk() {
    return !unconfirmed.isAll();
  }

  int unconfirmed() {
    return unconfirmed.size();
  }

  /**
   * Invalidates keys; from this call until the confirmation, the second level is not queried for
   * them.
   *
   * @param labels by text; passed on if the confirmation is late
   */
  CompletionStage<Void> forget(Map<String, String> labels) {
    if (labels.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    Map<String, UnconfirmedInvalidations.Debt> debts = unconfirmed.add(labels);
    return orLater(debts == null ? deleteEpochOfSome() : delete(debts, done -> {}));
  }

  /** Invalidates all keys, because the keys to be invalidated are unknown. */
  CompletionStage<Void> forgetUnknown() {
    unconfirmed.addAll();
    return orLater(deleteEpochOfSome());
  }

  /** Invalidates all keys. */
  CompletionStage<Void> forgetAll() {
    unconfirmed.addAll();
    return orLater(deleteEpoch());
  }

  private CompletionStage<Void> orLater(CompletableFuture<?> sent) {
    return sent.handle(
        (done, failure) -> {
          if (failure != null) {
            again(FIRST_WAIT_NANOS);
            throw new StoreException(
                "the second level has not confirmed an invalidation; until it does, other"
                    + " servers may find the old value",
                failure);
          }
          return null;
        });
  }

  /**
   * Deletes keys.
   *
   * @param confirmed receives the labels of each confirmed command
   */
  private CompletableFuture<?> delete(
      Map<String, UnconfirmedInvalidations.Debt> debts, Consumer<List<String>> confirmed) {
    Map<String, List<String>> byPlace = new HashMap<>();
    for (String text : debts.keySet()) {
      String place = access.place(names.apply(text));
      byPlace.computeIfAbsent(place, p -> new ArrayList<>()).add(text);
    }
    List<CompletableFuture<?>> parts = new ArrayList<>();
    byPlace.forEach(
        (place, texts) -> {
          for (int from = 0; from < texts.size(); from += AT_ONCE) {
            List<String> some = texts.subList(from, Math.min(texts.size(), from + AT_ONCE));
            parts.add(delete(place, some, debts, confirmed));
          }
        });
    return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new));
  }

  private CompletableFuture<?> delete(
      String place,
      List<String> texts,
      Map<String, UnconfirmedInvalidations.Debt> debts,
      Consumer<List<String>> confirmed) {
    List<String> named = texts.stream().map(names).toList();
    return access
        .send(place, link -> link.delete(named))
        .thenRun(
            () -> {
              texts.forEach(text -> unconfirmed.confirmed(text, debts.get(text)));
              confirmed.accept(texts.stream().map(text -> debts.get(text).label()).toList());
            });
  }

  /**
   * Deletes the epoch for the sake of some keys. This also confirms earlier failed invalidations of
   * keys that the caller does not know. An invalidation that fails only after this has ended
   * notifies the other servers itself.
   */
  private CompletableFuture<?> deleteEpochOfSome() {
    boolean before = unconfirmed.isRetried();
    return deleteEpoch()
        .thenRun(
            () -> {
              if (before || unconfirmed.isRetried()) {
                late.accept(List.of());
              }
            });
  }

  private CompletableFuture<?> deleteEpoch() {
    long upTo = unconfirmed.last();
    return access
        .send(access.place(epochName), link -> link.delete(List.of(epochName)))
        .thenRun(() -> unconfirmed.confirmedAll(upTo));
  }

  private void again(long waitNanos) {
    if (unconfirmed.beginRetrying()) {
      later(waitNanos);
    }
  }

  private void later(long waitNanos) {
    try {
      var unused = access.timer().after(waitNanos, () -> tryAgain(waitNanos));
    } catch (RejectedExecutionException e) {
      // The cache is closed; only the time to live remains.
    }
  }

  private void tryAgain(long waitNanos) {
    CompletableFuture<?> sent =
        unconfirmed.isAll() ? deleteEpochOfSome() : delete(unconfirmed.debts(), late);
    var unused =
        sent.whenComplete(
            (done, failure) -> {
              if (failure != null) {
                later(Math.min(LONGEST_WAIT_NANOS, 2 * waitNanos));
                return;
              }
              unconfirmed.endRetrying();
              if (unconfirmed.size() > 0) {
                again(FIRST_WAIT_NANOS);
              }
            });
  }
}
