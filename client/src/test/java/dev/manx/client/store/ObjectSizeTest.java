/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.HijrahDate;
import java.time.chrono.JapaneseDate;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import javax.crypto.spec.SecretKeySpec;
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

  private record Held(Object held) {}

  @SuppressWarnings("serial")
  private static final class OwnMap extends HashMap<Integer, Object> {
    OwnMap(int capacity) {
      super(capacity);
    }
  }

  private static final byte[] MAGNITUDE = magnitude();
  private static final String WIDE = "\u20ac".repeat(1_000);

  /** Of 4,000 bits: the constructor allocates nothing else. */
  private static byte[] magnitude() {
    byte[] bytes = new byte[500];
    bytes[0] = 1;
    return bytes;
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
        new Made(
            "time in a zone", 0, i -> ZonedDateTime.of(2000, 1, 1, 1, 2, 3, i, ZoneOffset.UTC)),
        new Made("date", 0, i -> new Date(i)),
        new Made("optional", 0, i -> Optional.of(song(i))),
        new Made("heap buffer", 0, i -> ByteBuffer.allocate(10_000)),
        new Made("part of a buffer", 0, i -> ByteBuffer.wrap(new byte[5_000], 10, 20)),
        new Made("buffer of longs", 0, i -> LongBuffer.allocate(1_000)),
        new Made("entry", 0, i -> Map.entry(text(), new byte[100])),
        new Made("simple entry", 0, i -> new AbstractMap.SimpleEntry<>(text(), new byte[100])),
        new Made("reference", 0, i -> new AtomicReference<>(new byte[1_000])),
        new Made("atomic array", 0, i -> new AtomicLongArray(100)),
        new Made("bits", 0, i -> new BitSet(10_000)),
        new Made("builder", 0, i -> new StringBuilder(2_000).append('a')),
        new Made("wide builder", 0, i -> new StringBuilder(WIDE)),
        new Made("integer", 0, i -> new BigInteger(1, MAGNITUDE)),
        new Made("decimal", 0, i -> new BigDecimal(new BigInteger(1, MAGNITUDE))),
        new Made("small decimal", 0, i -> BigDecimal.valueOf(1_000L + i, 2)),
        new Made("in a record", 0, i -> new Held(ByteBuffer.allocate(10_000))),
        new Made("adder", 0, i -> new LongAdder()),
        new Made("lock", 0, i -> new ReentrantLock()),
        new Made("subclass of a map", 0.2, i -> filled(new OwnMap(40), key -> 1_000 + key)),
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

  /** Else an entry of any size would count as a few bytes. */
  @ParameterizedTest
  @MethodSource("closed")
  void anObjectOfTheJdkThatCannotBeSizedIsRejected(Object value) {
    assertThatThrownBy(() -> ObjectSize.of(value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.")
        .hasMessageContaining("its module does not open it");
    assertThatThrownBy(() -> ObjectSize.of(new Held(value)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  static List<Object> closed() {
    return List.of(
        Pattern.compile("a*"),
        new ByteArrayInputStream(new byte[1_000]),
        new IllegalStateException("text"),
        CompletableFuture.completedFuture("text"));
  }

  @Test
  void namesAreAtLeastAsLongAsTheirText() throws Exception {
    String long200 = "a".repeat(200);
    for (Object named :
        List.of(
            URI.create("http://host/" + long200),
            new URL("http://host/" + long200),
            new File(long200),
            Path.of(long200),
            InetSocketAddress.createUnresolved(long200, 1))) {
      assertThat(ObjectSize.of(named)).as("%s", named).isBetween(224L, 1_200L);
    }
    assertThat(ObjectSize.of(InetAddress.getLoopbackAddress())).isBetween(64L, 200L);
  }

  @Test
  void objectsOfTheJdkOfLimitedSizeAreEstimated() throws Exception {
    for (Object small :
        List.of(
            FileTime.fromMillis(1_000),
            HijrahDate.now(Clock.systemUTC()),
            HijrahDate.now(Clock.systemUTC()).atTime(LocalTime.NOON),
            JapaneseDate.of(2000, 1, 1),
            new Random(1),
            new ReentrantLock(),
            new ReentrantReadWriteLock(),
            new StampedLock(),
            new CountDownLatch(1),
            new Semaphore(1))) {
      assertThat(ObjectSize.of(small)).as("%s", small.getClass()).isBetween(24L, 240L);
    }
    assertThat(ObjectSize.of(new GregorianCalendar())).isBetween(300L, 800L);
    assertThat(ObjectSize.of(new SecretKeySpec(new byte[1_000], "AES"))).isBetween(1_000L, 2_400L);
    for (String algorithm : List.of("RSA", "EC")) {
      PublicKey key = KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPublic();
      assertThat(ObjectSize.of(new Held(key)))
          .as(algorithm)
          .isBetween((long) key.getEncoded().length, 2L * key.getEncoded().length + 200);
    }
  }

  @Test
  void localesAndZonesAreShared() {
    assertThat(ObjectSize.of(Locale.GERMANY)).isZero();
    assertThat(ObjectSize.of(ZoneId.of("Europe/Berlin"))).isZero();
    assertThat(ObjectSize.of(new Held(new WeakReference<>(new byte[10_000])))).isLessThan(100);
    assertThat(ObjectSize.of(ByteBuffer.allocateDirect(10_000))).isGreaterThan(10_000);
    assertThat(ObjectSize.of(ByteBuffer.allocate(10_000).slice(5, 10)))
        .as("a slice keeps the whole array")
        .isGreaterThan(10_000);
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
