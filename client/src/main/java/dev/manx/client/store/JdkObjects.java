/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.io.File;
import java.lang.ref.Reference;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.Key;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.time.ZoneId;
import java.time.chrono.ChronoLocalDateTime;
import java.time.chrono.ChronoZonedDateTime;
import java.time.chrono.Chronology;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;

/**
 * Finds the references of objects of the JDK by their public methods, because the JDK does not open
 * its classes to reflection. The result is exact where these methods suffice, otherwise an
 * estimate.
 */
final class JdkObjects {
  /** A node of a hash table and its place in the table, at the usual load. */
  private static final int HASHED = 32 + 2 * ObjectSize.REFERENCE;

  private static final int LINKED = 24;
  private static final int LOCK = 32;
  private static final int LOCKS = 144;
  private static final int ADDRESS = 64;
  private static final int CALENDAR = 400;
  private static final int SEED = 24;
  private static final int FILE_TIME = 24;

  /**
   * Size of a key whose bytes are not accessible, or of the objects around the bytes of other keys.
   */
  private static final int SECRET = 128;

  private static final List<Class<?>> SHARED =
      List.of(
          Enum.class,
          Class.class,
          ClassLoader.class,
          Thread.class,
          ZoneId.class,
          TimeZone.class,
          Locale.class,
          Charset.class,
          Currency.class,
          Chronology.class);

  private static final ClassValue<Boolean> ARE_SHARED =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return SHARED.stream().anyMatch(shared -> shared.isAssignableFrom(type));
        }
      };

  private JdkObjects() {}

  /** Whether entries share all objects of this type, so that none is charged for them. */
  static boolean areShared(Class<?> type) {
    return ARE_SHARED.get(type);
  }

  /**
   * Follows the references of an object whose fields cannot be read.
   *
   * @param look receives objects that it references
   * @return bytes of its other references; -1 if its class is not supported
   */
  static long behind(Object object, Consumer<Object> look) {
    if (object instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            look.accept(key);
            look.accept(value);
          });
      return (long) HASHED * map.size();
    }
    if (object instanceof Collection<?> collection) {
      collection.forEach(look);
      return held(collection);
    }
    if (object instanceof Map.Entry<?, ?> entry) {
      look.accept(entry.getKey());
      look.accept(entry.getValue());
      return 0;
    }
    if (object instanceof Buffer buffer) {
      return buffer(buffer, look);
    }
    if (object instanceof Number number) {
      return number(number, look);
    }
    long held = holder(object, look);
    return held >= 0 ? held : named(object, look);
  }

  private static long held(Collection<?> collection) {
    int size = collection.size();
    if (collection instanceof Set) {
      return (long) HASHED * size;
    }
    return collection instanceof LinkedList
        ? (long) LINKED * size
        : ObjectSize.array(ObjectSize.REFERENCE, size);
  }

  /** A part of an array keeps all of it. */
  private static long buffer(Buffer buffer, Consumer<Object> look) {
    if (buffer.hasArray()) {
      look.accept(buffer.array());
      return 0;
    }
    int width = 4;
    if (buffer instanceof ByteBuffer) {
      width = 1;
    } else if (buffer instanceof CharBuffer || buffer instanceof ShortBuffer) {
      width = 2;
    } else if (buffer instanceof LongBuffer || buffer instanceof DoubleBuffer) {
      width = 8;
    }
    return ObjectSize.array(width, buffer.capacity());
  }

  private static long number(Number number, Consumer<Object> look) {
    if (number instanceof BigInteger integer) {
      return ObjectSize.array(4, (integer.bitLength() + 31) / 32);
    }
    if (number instanceof BigDecimal decimal) {
      // A value that fits into a long is in the object itself.
      BigInteger unscaled = decimal.unscaledValue();
      if (unscaled.bitLength() >= Long.SIZE) {
        look.accept(unscaled);
      }
      return 0;
    }
    // The cells of adders are created only under contention.
    return number instanceof LongAdder || number instanceof DoubleAdder ? 0 : -1;
  }

  /** Objects that hold others. */
  private static long holder(Object object, Consumer<Object> look) {
    if (object instanceof Optional<?> optional) {
      optional.ifPresent(look);
      return 0;
    }
    if (object instanceof AtomicReference<?> reference) {
      look.accept(reference.get());
      return 0;
    }
    if (object instanceof AtomicReferenceArray<?> array) {
      for (int i = 0; i < array.length(); i++) {
        look.accept(array.get(i));
      }
      return ObjectSize.array(ObjectSize.REFERENCE, array.length());
    }
    if (object instanceof AtomicIntegerArray array) {
      return ObjectSize.array(4, array.length());
    }
    if (object instanceof AtomicLongArray array) {
      return ObjectSize.array(8, array.length());
    }
    if (object instanceof Proxy) {
      look.accept(Proxy.getInvocationHandler(object));
      return 0;
    }
    // The entry does not keep the referent of a weak reference; a date seldom has its fields.
    return object instanceof Reference || object instanceof Date ? 0 : -1;
  }

  /** Texts, sets of bits, names and locks. */
  private static long named(Object object, Consumer<Object> look) {
    if (object instanceof StringBuilder || object instanceof StringBuffer) {
      return text((CharSequence) object);
    }
    if (object instanceof BitSet bits) {
      return ObjectSize.array(8, bits.size() / Long.SIZE);
    }
    if (object instanceof URI uri) {
      look.accept(uri.toString());
      look.accept(uri.getScheme());
      look.accept(uri.getRawAuthority());
      look.accept(uri.getRawUserInfo());
      look.accept(uri.getHost());
      look.accept(uri.getRawPath());
      look.accept(uri.getRawQuery());
      look.accept(uri.getRawFragment());
      return 0;
    }
    if (object instanceof URL || object instanceof Path) {
      // The whole text and its parts.
      return 2 * Sizers.text(object.toString());
    }
    if (object instanceof File file) {
      look.accept(file.getPath());
      return 0;
    }
    if (object instanceof InetAddress address) {
      return ADDRESS + Sizers.text(address.toString());
    }
    if (object instanceof InetSocketAddress socket) {
      look.accept(socket.getAddress());
      return LINKED + Sizers.text(socket.getHostString());
    }
    return limited(object, look);
  }

  /** Objects of limited size: times, locks and generators of random numbers. */
  private static long limited(Object object, Consumer<Object> look) {
    if (object instanceof Calendar) {
      return CALENDAR;
    }
    if (object instanceof ChronoLocalDateTime<?> time) {
      look.accept(time.toLocalDate());
      look.accept(time.toLocalTime());
      return 0;
    }
    if (object instanceof ChronoZonedDateTime<?> time) {
      look.accept(time.toLocalDateTime());
      return 0;
    }
    if (object instanceof FileTime) {
      return FILE_TIME;
    }
    if (object instanceof Random) {
      return SEED;
    }
    if (object instanceof ReadWriteLock || object instanceof StampedLock) {
      return LOCKS;
    }
    boolean isLock =
        object instanceof Lock || object instanceof Semaphore || object instanceof CountDownLatch;
    return isLock ? LOCK : -1;
  }

  /** Estimate for a cryptographic key or certificate with all that it references; else -1. */
  static long encoded(Object object) {
    byte[] bytes = null;
    if (object instanceof Key key) {
      bytes = key.getEncoded();
    } else if (object instanceof Certificate certificate) {
      try {
        bytes = certificate.getEncoded();
      } catch (CertificateEncodingException e) {
        return -1;
      }
    } else {
      return -1;
    }
    return SECRET + (bytes == null ? 0 : 2L * bytes.length);
  }

  private static long text(CharSequence text) {
    int capacity =
        text instanceof StringBuilder builder
            ? builder.capacity()
            : ((StringBuffer) text).capacity();
    boolean wide = text.chars().anyMatch(c -> c > 0xFF);
    return ObjectSize.array(wide ? 2 : 1, capacity);
  }
}
