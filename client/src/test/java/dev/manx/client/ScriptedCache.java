/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.store.Sizers;
import dev.manx.shares.WindowStatistics;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** A cache with scripted backends on a manual clock. */
abstract class ScriptedCache {
  /** Prevents time-outs of queries on a busy machine unless a test wants them. */
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
