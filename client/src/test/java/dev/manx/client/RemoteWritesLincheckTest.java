/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Alarm;
import dev.manx.client.timer.Timer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The store is remote: a value is sent after its load was found to own the key, so that an
 * invalidation of the key must wait until it has arrived.
 */
@Tag("lincheck")
public class RemoteWritesLincheckTest extends OwnersOperations {
  private static final class There extends Slots {
    @Override
    public CompletionStage<Map<Integer, Integer>> getAll(Collection<? extends Integer> keys) {
      Map<Integer, Integer> found = new HashMap<>();
      for (Integer key : keys) {
        Integer value = slots.get(key);
        if (value != null) {
          found.put(key, value);
        }
      }
      return CompletableFuture.completedFuture(found);
    }

    @Override
    public CompletionStage<Void> putAll(Map<? extends Integer, ? extends Integer> entries) {
      entries.forEach(slots::set);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> invalidateAll(Collection<? extends Integer> keys) {
      keys.forEach(key -> slots.set(key, null));
      return CompletableFuture.completedFuture(null);
    }
  }

  /** No answer of this store takes time. */
  private static final class NoTimer implements Timer {
    @Override
    public Alarm after(long nanos, Runnable task) {
      throw new AssertionError();
    }
  }

  /** Called by Lincheck for each schedule. */
  public RemoteWritesLincheckTest() {
    super(
        new There(),
        (store, counters) -> new RemoteWrites<>(store, counters, new NoTimer(), 1, Runnable::run));
  }

  @Test
  void modelChecking() throws NoSuchMethodException {
    check();
  }
}
