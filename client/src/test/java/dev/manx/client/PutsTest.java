/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The puts that an invalidation waits for. */
@Timeout(60)
class PutsTest {
  private static final long SEED = 13;

  private final Puts<Object> puts = new Puts<>();

  /** A key whose look-up fails when the test requests it. */
  private static final class Moody {
    private boolean fails;

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      if (fails) {
        throw new IllegalStateException("asked to fail");
      }
      return 7;
    }
  }

  /** A model of all puts that have not ended and have one of the keys. */
  private record Known(Puts.Put<Object> put, List<Object> keys) {}

  @Test
  void itWaitsForThoseOfItsKeysThatBeganBefore() {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Known> underWay = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      List<Object> keys =
          random.ints(1 + random.nextInt(3), 0, 8).distinct().mapToObj(k -> (Object) k).toList();
      CompletableFuture<Void> ended = puts.end(keys);
      List<Known> of =
          underWay.stream().filter(put -> put.keys.stream().anyMatch(keys::contains)).toList();
      assertThat(ended.isDone()).as("seed %d, step %d", SEED, step).isEqualTo(of.isEmpty());
      if (underWay.size() < 6) {
        underWay.add(new Known(puts.begin(keys), keys));
      } else {
        Known gone = underWay.remove(random.nextInt(underWay.size()));
        gone.put.end();
        assertThat(ended.isDone()).isEqualTo(of.isEmpty() || of.equals(List.of(gone)));
      }
    }
    CompletableFuture<Void> all = puts.endAll();
    assertThat(all).isNotDone();
    underWay.forEach(known -> known.put.end());
    assertThat(all).isCompleted();
    Stream.iterate(0, key -> key + 1)
        .limit(8)
        .forEach(key -> assertThat(puts.end(List.of(key))).isCompleted());
  }

  @Test
  void aKeyThatFailsHoldsUpNoOther() {
    Moody moody = new Moody();
    Puts.Put<Object> put = puts.begin(List.of(1, moody));
    moody.fails = true;
    CompletableFuture<Void> ended = puts.end(List.of(1));
    put.end();
    assertThat(ended).isCompleted();
    assertThat(puts.end(List.of(1))).isCompleted();
    assertThatThrownBy(() -> puts.begin(List.of(2, moody)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(puts.end(List.of(2))).isCompleted();
    assertThat(puts.endAll()).isCompleted();
  }
}
