/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.util.function.ToLongFunction;

/** Memory of common types on a 64-bit JVM with compressed references. */
public final class Sizers {
  private Sizers() {}

  /** Adds the sizes of key and value. */
  public static <K, V> Sizer<K, V> of(
      ToLongFunction<? super K> key, ToLongFunction<? super V> value) {
    return (k, v) -> key.applyAsLong(k) + value.applyAsLong(v);
  }

  /**
   * Measures keys and values of any class by their fields, on each put. It visits every object that
   * they reference, so it is exact for records and classes of the application, and an estimate for
   * collections; a custom sizer costs less. It rejects values that reference more than 100,000
   * objects, or an object whose references it cannot read, because its named module is not open to
   * the client library or its class is one of some classes of the JDK. Such values are not cached.
   */
  public static <K, V> Sizer<K, V> measured() {
    return of(ObjectSize::of, ObjectSize::of);
  }

  /**
   * Size of a string: the object, its array's head, a byte per character if all are Latin-1, else
   * two.
   */
  public static long text(String text) {
    boolean wide = text.chars().anyMatch(c -> c > 0xFF);
    return 24 + array(wide ? 2L * text.length() : text.length());
  }

  /** An array of bytes. */
  public static long bytes(byte[] bytes) {
    return array(bytes.length);
  }

  /** A boxed number. */
  public static long number(Number number) {
    return number instanceof Long || number instanceof Double ? 24 : 16;
  }

  private static long array(long length) {
    return 16 + (length + 7) / 8 * 8;
  }
}
