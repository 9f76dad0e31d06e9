/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendStats;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutCacheBuilder;
import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.store.remote.RemoteSettings;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The guarantees to an application of a store whose server fails, on a real server. A subclass
 * starts the server, makes it fail, and connects stores to it.
 */
public abstract class StoreFaultContract extends FaultContract {
  /** Capacity of the cache: the share of a single backend, divided equally between two. */
  private static final long CAPACITY = 48L << 20;

  /** The backend whose share is in the heap, which has no faults. */
  private static final String OTHER = "other";

  private static final double SLACK = 1.1;

  /**
   * Opens stores in the server, which belongs to the backend {@code songs}.
   *
   * @param timeout of an operation
   */
  protected abstract StoreFactory factory(Duration timeout);

  /**
   * Settings for such a store: it reports its progress soon, and retries soon.
   *
   * @param timeout of an operation
   */
  protected static RemoteSettings settings(Duration timeout) {
    return new RemoteSettings(
        timeout,
        Duration.ofMillis(500),
        Duration.ofMillis(200),
        Duration.ofMillis(20),
        Duration.ofMillis(200),
        1_024);
  }

  /** The limit of the server's memory, in bytes, as reported by the server. */
  protected abstract long limitBytes() throws Exception;

  /** The faults that make the server unreachable, so that a store must skip it. */
  protected Set<Fault> losing() {
    Set<Fault> some = EnumSet.copyOf(faults());
    // It responds nevertheless.
    some.remove(Fault.FULL);
    return some;
  }

  @Override
  final FanoutCacheBuilder builder(Duration timeout) {
    StoreFactory remote = factory(timeout);
    StoreFactory heap = CaffeineStore.factory();
    return FanoutCache.builder()
        .capacity(CAPACITY)
        .stores(
            new StoreFactory() {
              @Override
              public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
                return (spec.backend().equals(OTHER) ? heap : remote).open(spec);
              }
            });
  }

  @Override
  final long entryBytes() {
    return 100;
  }

  @Override
  final long hits(Backend<Integer, String> songs) {
    return songs.stats().hits();
  }

  @Override
  final boolean isSettled(Backend<Integer, String> songs) {
    return !songs.stats().degraded();
  }

  @Override
  final Backend<Integer, String> reader(Backend<Integer, String> songs) {
    return songs;
  }

  @ParameterizedTest
  @MethodSource("losing")
  final void aServerOutOfReachIsGivenUpAndFoundAgain(Fault fault) throws Exception {
    Backend<Integer, String> songs = open();
    begin(fault);
    until(
        () -> {
          ask(songs, List.of(fresh()));
          return songs.stats().degraded();
        });
    assertThat(songs.stats().storeFailures()).isPositive();
    over();
    untilWell(songs);
  }

  @ParameterizedTest
  @MethodSource("faults")
  final void sharesThatMoveMeanwhileAreTheServersLimitsAfterwards(Fault fault) throws Exception {
    Backend<Integer, String> songs = open();
    FanoutCache cache = cache();
    assertThat(limitBytes()).isEqualTo(CAPACITY);
    begin(fault);
    Backend<Integer, String> other = cache.add(songs(OTHER));
    cache.tick();
    over();
    untilShareIs(songs, CAPACITY / 2);
    begin(fault);
    cache.remove(other);
    cache.tick();
    over();
    untilShareIs(songs, CAPACITY);
    untilWell(songs);
  }

  private void untilShareIs(Backend<Integer, String> songs, long bytes) throws Exception {
    FanoutCache cache = cache();
    until(
        () -> {
          cache.tick();
          assertThat(cache.stats().loop().fixed()).as("a fault is no refusal").isEmpty();
          BackendStats stats = songs.stats();
          return !stats.degraded()
              && stats.allocatedBytes() == bytes
              && stats.usedBytes() <= bytes * SLACK;
        });
    assertThat(limitBytes()).isEqualTo(bytes);
    long shares =
        cache.backendStats().values().stream().mapToLong(BackendStats::allocatedBytes).sum();
    assertThat(shares).isEqualTo(CAPACITY);
  }
}
