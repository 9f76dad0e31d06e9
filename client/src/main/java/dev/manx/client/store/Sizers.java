/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.util.function.ToLongFunction;

/** Memory of common types on a 64-bit JVM with compressed references. */
public final class Sizers {
  private Sizers() {}

  /** Adds up key and value. */
  public static <K, V> Sizer<K, V> of(
      ToLongFunction<? super K> key, ToLongFunction<? super V> value) {
    return (k, v) -> key.applyAsLong(k) + value.applyAsLong(v);
  }

  /**
   * Measures keys and values of any classes by their fields, on each put. It looks at every object
   * that they refer to, so it is exact for records and classes of the application, and an estimate
   * for collections; a sizer of your own costs less. It refuses, so that the value is not kept,
   * what refers to more than 100,000 objects, or to classes of a named module that does not open
   * them to the client library.
   */
  public static <K, V> Sizer<K, V> measured() {
    return of(ObjectSize::of, ObjectSize::of);
  }

  /** A text: the object, its array's head, a byte per Latin-1 character and two per other. */
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
