/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSettings;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import dev.manx.client.level.LevelKind;
import dev.manx.client.level.LevelStats;
import dev.manx.client.store.Codec;
import dev.manx.policy.config.ConfigNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The guarantees of a second level, on real servers. A subclass supplies the servers and a
 * time-out.
 */
@Timeout(120)
@Tag("contract")
public abstract class LevelContract {
  /** A codec for keys and values of {@link Songs}. */
  public static final Codec<Integer, String> TEXT =
      new Codec<>() {
        @Override
        public String key(Integer key) {
          return key.toString();
        }

        @Override
        public byte[] encode(String value) {
          return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(Integer key, byte[] bytes) {
          return new String(bytes, StandardCharsets.UTF_8);
        }
      };

  /** The backend's data. */
  protected final Map<Integer, String> database = new ConcurrentHashMap<>();

  private final List<FanoutCache> caches = new ArrayList<>();
  private int nextKey = 1_000_000;
  // Not reached on a busy machine.
  private String timeout = "5s";

  /** Starts the servers, or skips the test if they are not installed. */
  protected abstract void start() throws Exception;

  /** Stops the servers. */
  protected abstract void end() throws Exception;

  /** The kind that reads the settings. */
  protected abstract LevelKind kind();

  /** The settings of the kind, as YAML. */
  protected abstract String address();

  /** Milliseconds until an entry of the second level expires; fails if it does not expire. */
  protected abstract long ttlMillis(String name) throws Exception;

  @BeforeEach
  final void prepare() throws Exception {
    start();
  }

  @AfterEach
  final void close() throws Exception {
    caches.forEach(FanoutCache::close);
    end();
  }

  /** The cache of a new application server, connected. */
  protected final Backend<Integer, String> server() throws InterruptedException {
    Backend<Integer, String> songs = server(address());
    untilItFills(songs);
    return songs;
  }

  /** The cache of a new application server at an address; perhaps never connected. */
  protected final Backend<Integer, String> server(String address) {
    FanoutCache cache = cache(address);
    caches.add(cache);
    return songs(cache);
  }

  private FanoutCache cache(String address) {
    return FanoutCache.builder()
        .configure(
            ConfigNode.parse(
                "settings",
                "{ capacity: 8MiB, second-level: { "
                    + address
                    + ", application: shop, timeout: "
                    + timeout
                    + " } }"))
        .drivenByHost()
        .open();
  }

  private Backend<Integer, String> songs(FanoutCache cache) {
    // Not the default, so that a busy machine fails no load.
    BackendSettings patient = BackendSettings.DEFAULTS.withTimeOut(Duration.ofSeconds(20));
    return cache.add(Songs.of(database).with(TEXT).with(patient));
  }

  /** Makes caches that are opened from now on wait briefly for servers that do not answer. */
  protected final void waitsBriefly() {
    timeout = "500ms";
  }

  /** Queries keys that are new to all servers until one has been stored. */
  protected final void untilItFills(Backend<Integer, String> songs) throws InterruptedException {
    long before = level(songs).fills();
    until(
        () -> {
          ask(songs, List.of(nextKey++));
          return level(songs).fills() > before;
        });
  }

  /** Loads keys until all are stored. */
  protected final void fill(Backend<Integer, String> songs, List<Integer> keys)
      throws InterruptedException {
    while (!isFilled(songs, keys) || !areFound(keys)) {
      // A busy machine exceeded the time-out, and the heap has them; they are loaded again.
      var unused = songs.invalidate(keys);
      until(() -> level(songs).unconfirmed() == 0);
    }
  }

  private boolean isFilled(Backend<Integer, String> songs, List<Integer> keys)
      throws InterruptedException {
    LevelStats before = level(songs);
    long wanted = before.fills() + keys.size();
    ask(songs, keys);
    until(() -> level(songs).fills() >= wanted || troubles(level(songs)) > troubles(before));
    return level(songs).fills() >= wanted;
  }

  /** Whether a new server finds them all: the stored values may have been those of other keys. */
  private boolean areFound(List<Integer> keys) throws InterruptedException {
    try (FanoutCache cache = cache(address())) {
      Backend<Integer, String> another = songs(cache);
      untilItFills(another);
      ask(another, keys);
      return level(another).hits() == keys.size();
    }
  }

  private static long troubles(LevelStats stats) {
    return stats.failures() + stats.refused();
  }

  /** Waits until a new application server finds a value that the backend no longer has. */
  protected final void untilANewServerFinds(int key, String value) throws InterruptedException {
    while (!ask(server(), key).equals(value)) {
      // A busy machine exceeded the time-out.
    }
  }

  /** The counters of a backend's part. */
  protected static LevelStats level(Backend<Integer, String> songs) {
    return songs.stats().level();
  }

  /** Queries keys of a backend of any cache, as a page does. */
  protected final Map<Integer, String> ask(Backend<Integer, String> songs, List<Integer> keys) {
    try (FanoutRequest request = caches.get(0).request()) {
      return request.query(songs, keys).join();
    }
  }

  /** Queries one key. */
  protected final String ask(Backend<Integer, String> songs, int key) {
    return ask(songs, List.of(key)).get(key);
  }

  private static List<Integer> page() {
    return IntStream.range(0, 300).boxed().toList();
  }

  @Test
  final void aServerThatIsDeployedFindsWhatOthersHaveLoaded() throws Exception {
    page().forEach(key -> database.put(key, "song " + key));
    Backend<Integer, String> old = server();
    fill(old, page());
    caches.get(0).close();
    Backend<Integer, String> fresh = server();
    database.clear();
    try (FanoutRequest request = caches.get(1).request()) {
      Map<Integer, String> found = request.query(fresh, page()).join();
      assertThat(found).hasSize(300).containsEntry(299, "song 299");
    }
    assertThat(level(fresh).hits()).isEqualTo(300);
  }

  @Test
  final void aNewServerDoesNotFindInvalidatedKeys() throws Exception {
    Backend<Integer, String> one = server();
    page().forEach(key -> database.put(key, "old"));
    fill(one, page());
    database.put(7, "new");
    one.invalidate(List.of(7)).toCompletableFuture().join();
    Backend<Integer, String> two = server();
    assertThat(ask(two, 7)).isEqualTo("new");
    assertThat(ask(two, 8)).isEqualTo("old");
    assertThat(level(two).hits()).isEqualTo(1);
    database.put(9, "newest");
    two.invalidateAll().toCompletableFuture().join();
    assertThat(ask(server(), 9)).isEqualTo("newest");
  }

  @Test
  final void entriesExpire() throws Exception {
    Backend<Integer, String> one = server();
    fill(one, page());
    assertThat(ttlMillis("manx:level:shop:songs:7")).isBetween(1L, 3_602_000L);
  }

  @Test
  final void invalidationsAndLoadsAtOnceLeaveNothingStale() throws Exception {
    try (LevelRace race = new LevelRace(kind(), address(), 7)) {
      race.run(1_000);
    }
  }

  /** Whether an invalidation was confirmed at once. */
  protected final boolean isConfirmed(Backend<Integer, String> songs, int key) {
    CompletableFuture<Void> done = songs.invalidate(List.of(key)).toCompletableFuture();
    return done.handle((confirmed, failure) -> failure == null).join();
  }
}
