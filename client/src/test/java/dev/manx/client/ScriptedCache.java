/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.store.Sizers;
import dev.manx.shares.WindowStatistics;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** A cache whose backends answer as the test says, on a clock that it moves. */
abstract class ScriptedCache {
  /** So that no query times out on a busy machine unless its test wants that. */
  static final BackendSettings PATIENT =
      BackendSettings.DEFAULTS.withTimeOut(Duration.ofMinutes(5));

  final ManualClock clock = new ManualClock();
  final Scripted songs = new Scripted();
  final Scripted users = new Scripted();
  FanoutCache cache = FanoutCache.builder().capacity(8 << 20).clock(clock).drivenByHost().open();

  @AfterEach
  void close() {
    cache.close();
  }

  Backend<Integer, String> add(String name, Loader<Integer, String> loader) {
    return add(name, loader, PATIENT);
  }

  Backend<Integer, String> add(
      String name, Loader<Integer, String> loader, BackendSettings settings) {
    return cache.add(
        BackendSpec.<Integer, String>of(name, Sizers.of(Sizers::number, Sizers::text), loader)
            .with(settings));
  }

  WindowStatistics recent() {
    cache.tick();
    return cache.recent();
  }
}
