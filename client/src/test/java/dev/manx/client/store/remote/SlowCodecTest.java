/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One network thread answers for all backends, one of which has a hanging codec. */
@Timeout(60)
class SlowCodecTest {
  private static final int QUERIES = 40;
  private static final Duration LONG = Duration.ofMinutes(10);

  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void aCodecThatDecodesSlowlyDelaysNoOtherBackend(String policy) throws Exception {
    Hanging codec = new Hanging("", "slow");
    try (OneNetwork all = new OneNetwork(policy, LONG)) {
      Backend<Integer, String> slow = all.add("slow", codec);
      Backend<Integer, String> quick = all.add("quick", new Hanging("", ""));
      OneNetwork.put(slow, 1, "slow");
      OneNetwork.put(quick, 1, "quick");
      List<CompletableFuture<String>> waiting = new ArrayList<>();
      for (int i = 0; i < QUERIES; i++) {
        waiting.add(all.ask(slow, 1));
      }
      codec.await(1);
      assertThat(all.ask(quick, 1).get(20, TimeUnit.SECONDS)).isEqualTo("quick");
      assertThat(waiting).noneMatch(CompletableFuture::isDone);
      codec.release();
      for (CompletableFuture<String> each : waiting) {
        assertThat(each.get(20, TimeUnit.SECONDS)).isEqualTo("slow");
      }
    } finally {
      codec.release();
    }
  }

  /** The second put waits until the first has been answered. */
  @ParameterizedTest
  @ValueSource(strings = {"cache.robinhood", "cache.shared"})
  void aCodecThatEncodesSlowlyDelaysNoOtherBackend(String policy) throws Exception {
    Hanging codec = new Hanging("slow", "");
    try (OneNetwork all = new OneNetwork(policy, LONG)) {
      Backend<Integer, String> slow = all.add("slow", codec);
      Backend<Integer, String> quick = all.add("quick", new Hanging("", ""));
      OneNetwork.put(quick, 1, "quick");
      all.hold();
      CompletableFuture<Void> first = slow.put(1, "first").toCompletableFuture();
      CompletableFuture<Void> second = slow.put(1, "slow").toCompletableFuture();
      all.answer();
      first.get(20, TimeUnit.SECONDS);
      codec.await(1);
      assertThat(all.ask(quick, 1).get(20, TimeUnit.SECONDS)).isEqualTo("quick");
      assertThat(second).isNotDone();
      codec.release();
      second.get(20, TimeUnit.SECONDS);
      assertThat(all.ask(slow, 1).get(20, TimeUnit.SECONDS)).isEqualTo("slow");
    } finally {
      codec.release();
    }
  }
}
