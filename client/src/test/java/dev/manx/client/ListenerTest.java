/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners that throw, such as a metrics registry that rejects a meter. */
@Timeout(60)
class ListenerTest {
  private final FanoutCache cache = FanoutCache.builder().drivenByHost().open();
  private final List<String> seen = new ArrayList<>();

  @AfterEach
  void close() {
    cache.close();
  }

  private Backend<Integer, String> add(String name) {
    return cache.add(BackendSpec.of(name, (k, v) -> 1, new Scripted()));
  }

  private BackendListener throwing(Supplier<Error> what) {
    return new BackendListener() {
      @Override
      public void added(Backend<?, ?> backend) {
        throw what.get();
      }

      @Override
      public void removed(Backend<?, ?> backend) {
        throw what.get();
      }
    };
  }

  private static Error runtimeException() {
    throw new IllegalStateException("asked to fail");
  }

  @Test
  void nullIsRejectedAtOnce() {
    assertThatThrownBy(() -> cache.listen((BackendListener) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> cache.listen((LatencyListener) null))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void ofAClosedCacheHearOfNoRemoval() {
    Backend<Integer, String> backend = add("first");
    cache.listen(
        new BackendListener() {
          @Override
          public void added(Backend<?, ?> added) {
            seen.add("+" + added.name());
          }

          @Override
          public void removed(Backend<?, ?> removed) {
            seen.add("-" + removed.name());
          }

          @Override
          public void closed() {
            seen.add("closed");
          }
        });
    cache.close();
    cache.remove(backend);
    assertThat(seen).containsExactly("+first", "closed");
  }

  @Test
  void doNotHoldUpBackendsNorOtherListeners() {
    Backend<Integer, String> first = add("first");
    cache.listen(throwing(ListenerTest::runtimeException));
    cache.listen(throwing(AssertionError::new));
    cache.listen(
        new BackendListener() {
          @Override
          public void added(Backend<?, ?> backend) {
            seen.add("+" + backend.name());
          }

          @Override
          public void removed(Backend<?, ?> backend) {
            seen.add("-" + backend.name());
          }
        });
    assertThat(add("second").name()).isEqualTo("second");
    cache.remove(first);
    assertThat(seen).containsExactly("+first", "+second", "-first");
    assertThat(cache.backendStats()).containsOnlyKeys("second");
  }
}
