/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sizes equal the JVM's allocation for such an object. */
@Timeout(60)
class ObjectSizeTest {
  private static final int COPIES = 2_000;

  private record Song(int id, String title, double[] levels, TimeUnit unit, Song next) {}

  @SuppressWarnings("unused")
  private static class Base {
    private final long serial;
    private final byte kind = 1;

    Base(long serial) {
      this.serial = serial;
    }
  }

  @SuppressWarnings("unused")
  private static final class Derived extends Base {
    private final Object[] parts;
    private final boolean known = true;

    Derived(long serial) {
      super(serial);
      parts = new Object[] {new int[3], null, new Song(1, null, null, null, null)};
    }
  }

  /**
   * Makes objects and allocates nothing else.
   *
   * @param margin permitted relative error of the size
   */
  private record Made(String what, double margin, IntFunction<Object> make) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static final byte[] TEXT = "some text".getBytes(StandardCharsets.ISO_8859_1);

  private static String text() {
    return new String(TEXT, StandardCharsets.ISO_8859_1);
  }

  private static Song song(int i) {
    return new Song(i, text(), new double[7], TimeUnit.DAYS, null);
  }

  private static <K> Map<K, Object> filled(Map<K, Object> map, IntFunction<K> key) {
    for (int i = 0; i < 20; i++) {
      map.put(key.apply(i), text());
    }
    return map;
  }

  private static <C extends Collection<Object>> C filled(C collection) {
    for (int i = 0; i < 20; i++) {
      collection.add(new Base(i));
    }
    return collection;
  }

  private static List<Made> made() {
    return List.of(
        new Made("text", 0, i -> text()),
        new Made("long", 0, i -> Long.valueOf(1_000_000L + i)),
        new Made("bytes", 0, i -> new byte[i % 2 + 9]),
        new Made("record", 0, i -> song(i)),
        new Made("list of records", 0, i -> new Song(1, null, null, null, song(i))),
        new Made("class with a superclass", 0, i -> new Derived(i)),
        new Made("uuid", 0, i -> new UUID(i, i)),
        new Made("time", 0, i -> LocalDateTime.of(2000, 1, 1 + i % 20, 1, 2, 3, 4)),
        new Made("optional", 0, i -> Optional.of(song(i))),
        new Made("immutable list", 0.1, i -> List.of(song(1), song(2), song(3), song(4))),
        new Made("array list", 0.1, i -> filled(new ArrayList<>(20))),
        new Made("linked list", 0, i -> filled(new LinkedList<>())),
        new Made("deque", 0.2, i -> filled(new ArrayDeque<>(20))),
        new Made("hash set", 0.2, i -> filled(new HashSet<>(40))),
        new Made("hash map", 0.2, i -> filled(new HashMap<>(40), key -> 1_000 + key)),
        new Made("linked map", 0.2, i -> filled(new LinkedHashMap<>(40), key -> 1_000 + key)),
        new Made("tree map", 0.1, i -> filled(new TreeMap<>(), key -> 1_000 + key)),
        new Made("concurrent map", 0.2, i -> filled(new ConcurrentHashMap<>(40), k -> 1_000L + k)));
  }

  @ParameterizedTest
  @MethodSource("made")
  void itIsWhatTheJvmAllocates(Made made) {
    assumeTrue(
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM counts allocation");
    assumeTrue(Runtime.getRuntime().maxMemory() < 32L << 30, "references are compressed");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    Object[] kept = new Object[COPIES];
    double bytes = 0;
    // The first round loads classes.
    for (int round = 0; round < 2; round++) {
      long before = threads.getThreadAllocatedBytes(id);
      for (int i = 0; i < COPIES; i++) {
        kept[i] = made.make.apply(i);
      }
      bytes = (double) (threads.getThreadAllocatedBytes(id) - before) / COPIES;
    }
    assertThat((double) ObjectSize.of(kept[2])).isCloseTo(bytes, within(bytes * made.margin + 4));
  }

  @Test
  void eachObjectCountsOnceAndWhatIsSharedByAllDoesNot() {
    Song shared = song(1);
    long one = ObjectSize.of(shared);
    assertThat(ObjectSize.of(new Song[] {shared, shared, shared})).isEqualTo(32 + one);
    Object[] cycle = new Object[1];
    cycle[0] = cycle;
    assertThat(ObjectSize.of(cycle)).isEqualTo(24);
    assertThat(ObjectSize.of(TimeUnit.DAYS)).isZero();
    assertThat(ObjectSize.of(null)).isZero();
    assertThat(ObjectSize.of(String.class)).isZero();
    Object withThread = new Object[] {Thread.currentThread(), getClass().getClassLoader()};
    assertThat(ObjectSize.of(withThread)).isEqualTo(24);
  }

  @Test
  void aLongChainNeedsNoStackAndIsRefusedWhenTooLong() {
    Song chain = null;
    for (int i = 0; i < ObjectSize.MOST_OBJECTS; i++) {
      chain = new Song(i, null, null, null, chain);
    }
    assertThat(ObjectSize.of(chain)).isEqualTo(32L * ObjectSize.MOST_OBJECTS);
    Song longer = new Song(1, null, null, null, chain);
    assertThatThrownBy(() -> ObjectSize.of(longer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("100000");
  }

  @Test
  void keysAndValuesAddUp() {
    Sizer<Object, Object> sizer = Sizers.measured();
    assertThat(sizer.bytes(1_000L, text())).isEqualTo(24 + Sizers.text(text()));
  }
}
