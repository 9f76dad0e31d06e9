/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One store seen by several backends, in process and remote. */
class SharedStoreTest {
  private static final Codec<String, byte[]> CODEC = new ByteCodec();

  private static <T> T await(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static StoreSpec<String, byte[]> spec(String backend, boolean codec) {
    return new StoreSpec<>(
        backend, 0, (k, v) -> k.length() + v.length, codec ? Optional.of(CODEC) : Optional.empty());
  }

  /** A remote store: every value goes through its codec. */
  private static final class Elsewhere<K, V> implements Store<K, V> {
    private final Codec<K, V> codec;
    private final Map<String, byte[]> kept = new HashMap<>();

    Elsewhere(StoreSpec<K, V> spec) {
      codec = spec.codec().orElseThrow();
    }

    @Override
    public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
      Map<K, V> found = new HashMap<>();
      for (K key : keys) {
        byte[] bytes = kept.get(codec.key(key));
        if (bytes != null) {
          found.put(key, codec.decode(key, bytes));
        }
      }
      return CompletableFuture.completedFuture(found);
    }

    @Override
    public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
      entries.forEach((key, value) -> kept.put(codec.key(key), codec.encode(value)));
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
      keys.forEach(key -> kept.remove(codec.key(key)));
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> clear() {
      kept.clear();
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Long> resize(long bytes) {
      return CompletableFuture.completedFuture(bytes);
    }

    @Override
    public long allocatedBytes() {
      return 1 << 20;
    }

    @Override
    public long usedBytes() {
      return kept.size();
    }

    @Override
    public void close() {
      kept.clear();
    }
  }

  private static final StoreFactory ELSEWHERE =
      new StoreFactory() {
        @Override
        public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
          return new Elsewhere<>(spec);
        }
      };

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void keepsBackendsApart(SharedStore shared) throws Exception {
    Store<String, byte[]> a = shared.view(spec("a", true));
    Store<String, byte[]> b = shared.view(spec("b", true));
    await(a.putAll(Map.of("k", bytes("of a"), "k2", bytes("too"))));
    await(b.putAll(Map.of("k", bytes("of b"))));
    assertThat(await(a.getAll(List.of("k", "no")))).containsOnlyKeys("k");
    assertThat(await(a.getAll(List.of("k"))).get("k")).isEqualTo(bytes("of a"));
    assertThat(await(b.getAll(List.of("k", "k2"))).get("k")).isEqualTo(bytes("of b"));
    assertThat(await(b.getAll(List.of("k"), Runnable::run)).get("k")).isEqualTo(bytes("of b"));
    await(a.invalidateAll(List.of("k")));
    assertThat(await(a.getAll(List.of("k")))).isEmpty();
    assertThat(await(b.getAll(List.of("k")))).containsOnlyKeys("k");
    assertThatThrownBy(() -> await(a.resize(5))).hasMessageContaining("all backends share");
    b.close();
    assertThat(await(b.getAll(List.of("k")))).isEmpty();
    assertThat(await(a.getAll(List.of("k2")))).containsOnlyKeys("k2");
  }

  @Test
  void inProcess() throws Exception {
    SharedStore shared = new SharedStore(CaffeineStore.factory(), 1 << 20);
    keepsBackendsApart(shared);
    assertThat(shared.view(spec("c", false))).isInstanceOf(LocalStore.class);
    assertThat(shared.view(spec("c", false)).allocatedBytes()).isEqualTo(1 << 20);
    shared.close();
  }

  @Test
  void elsewhere() throws Exception {
    SharedStore shared = new SharedStore(ELSEWHERE, 1 << 20);
    keepsBackendsApart(shared);
    assertThatThrownBy(() -> shared.view(spec("c", false))).hasMessageContaining("codec");
    shared.close();
  }

  /** Its earlier entries may have been invalidated since. */
  @Test
  void aBackendThatIsAddedAgainFindsNothingOfItsPast() throws Exception {
    SharedStore shared = new SharedStore(ELSEWHERE, 1 << 20);
    Store<String, byte[]> first = shared.view(spec("a", true));
    await(first.putAll(Map.of("k", bytes("old"))));
    await(first.clear());
    await(first.putAll(Map.of("k", bytes("newer"))));
    first.close();
    Store<String, byte[]> second = shared.view(spec("a", true));
    assertThat(await(second.getAll(List.of("k")))).isEmpty();
    await(second.clear());
    assertThat(await(second.getAll(List.of("k")))).isEmpty();
    shared.close();
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void twoCachesOverTheSameServerDoNotFindEachOthersEntries() throws Exception {
    Elsewhere<Object, Object>[] server = new Elsewhere[1];
    StoreFactory same =
        new StoreFactory() {
          @Override
          @SuppressWarnings("unchecked")
          public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
            Elsewhere<K, V> store = new Elsewhere<>(spec);
            if (server[0] != null) {
              store.kept.putAll(server[0].kept);
            }
            server[0] = (Elsewhere<Object, Object>) store;
            return store;
          }
        };
    Store<String, byte[]> before = new SharedStore(same, 1 << 20).view(spec("a", true));
    await(before.putAll(Map.of("k", bytes("old"))));
    Store<String, byte[]> restarted = new SharedStore(same, 1 << 20).view(spec("a", true));
    assertThat(await(restarted.getAll(List.of("k")))).isEmpty();
  }

  /** In one store for all backends, space follows the rate of queries. */
  @Test
  void theBusierBackendEvictsTheOther() {
    int entry = 10 + 24 + LruStore.ENTRY_OVERHEAD_BYTES;
    SharedStore shared = new SharedStore(LruStore.factory(), 3L * entry);
    LocalStore<String, byte[]> a = (LocalStore<String, byte[]>) shared.view(spec("a", false));
    LocalStore<String, byte[]> b = (LocalStore<String, byte[]>) shared.view(spec("b", false));
    a.put("1", new byte[9]);
    b.put("1", new byte[9]);
    b.put("2", new byte[9]);
    b.put("3", new byte[9]);
    assertThat(a.get("1")).isNull();
    assertThat(b.get("1")).isNotNull();
  }
}
