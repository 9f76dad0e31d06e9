/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Memory of an object and of all objects that it references, by the fields of their classes. Each
 * object counts once. Enum constants, classes and threads, which entries share, do not count.
 *
 * <p>The JDK does not open its own classes to reflection. Strings, arrays, collections, maps and
 * {@code Optional} are supported. For other classes of the JDK, the object itself counts, and of
 * its references those whose class is final and has no references, such as the date in a {@code
 * LocalDateTime}.
 */
final class ObjectSize {
  /* HotSpot with compressed class pointers and references, its default for heaps of up to 32 GiB.
   * It fills gaps with smaller fields (since Java 15), so the sum of all fields is exact. */
  private static final int HEADER = 12;
  private static final int ARRAY_HEADER = 16;
  private static final int REFERENCE = 4;
  private static final int WORD = 8;

  /** A node of a hash table and its place in the table, at the usual load. */
  private static final int HASHED = 32 + 2 * REFERENCE;

  private static final int LINKED = 24;

  /** A value that references more objects probably references the whole application. */
  static final int MOST_OBJECTS = 100_000;

  private static final ClassValue<Layout> LAYOUTS =
      new ClassValue<>() {
        @Override
        protected Layout computeValue(Class<?> type) {
          return Layout.of(type);
        }
      };

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> open = new ArrayDeque<>();

  /**
   * The memory layout of a class.
   *
   * @param bytes of one object, including referenced objects of known size
   * @param references fields to follow
   */
  private record Layout(long bytes, List<Field> references) {
    static Layout of(Class<?> type) {
      long sum = HEADER;
      long below = 0;
      List<Field> references = new ArrayList<>();
      for (Class<?> at = type; at != null; at = at.getSuperclass()) {
        for (Field field : at.getDeclaredFields()) {
          if (Modifier.isStatic(field.getModifiers())) {
            continue;
          }
          sum += width(field.getType());
          if (field.getType().isPrimitive() || field.getType().isEnum()) {
            continue;
          }
          if (field.trySetAccessible()) {
            references.add(field);
          } else if (at.getModule() == Object.class.getModule()) {
            below += plain(field.getType());
          } else {
            throw new IllegalArgumentException(
                at.getName() + ": its module does not open it to " + ObjectSize.class.getModule());
          }
        }
      }
      return new Layout(aligned(sum) + below, List.copyOf(references));
    }

    /** Size of any object of this type, if it is final and has no references; else 0. */
    private static long plain(Class<?> type) {
      if (type.isArray() || !Modifier.isFinal(type.getModifiers())) {
        return 0;
      }
      long sum = HEADER;
      for (Class<?> at = type; at != null; at = at.getSuperclass()) {
        for (Field field : at.getDeclaredFields()) {
          if (!Modifier.isStatic(field.getModifiers())) {
            if (!field.getType().isPrimitive()) {
              return 0;
            }
            sum += width(field.getType());
          }
        }
      }
      return aligned(sum);
    }
  }

  private ObjectSize() {}

  /**
   * Bytes of an object and of all objects that it references.
   *
   * @throws IllegalArgumentException if it references more than {@link #MOST_OBJECTS}, or an object
   *     of a named module that is not open to this one
   */
  static long of(Object root) {
    long known = known(root);
    return known >= 0 ? known : new ObjectSize().walk(root);
  }

  private long walk(Object root) {
    long sum = 0;
    look(root);
    while (!open.isEmpty()) {
      sum += one(open.pop());
    }
    return sum;
  }

  private void look(Object object) {
    if (object != null && seen.add(object)) {
      if (seen.size() > MOST_OBJECTS) {
        throw new IllegalArgumentException("references more than " + MOST_OBJECTS + " objects");
      }
      open.push(object);
    }
  }

  private long one(Object object) {
    long known = known(object);
    if (known >= 0) {
      return known;
    }
    if (object instanceof Object[] array) {
      for (Object element : array) {
        look(element);
      }
      return aligned(ARRAY_HEADER + (long) REFERENCE * array.length);
    }
    if (object.getClass().getModule() == Object.class.getModule()) {
      return ofJdk(object);
    }
    Layout layout = LAYOUTS.get(object.getClass());
    lookAt(object, layout);
    return layout.bytes;
  }

  private long ofJdk(Object object) {
    Layout layout = LAYOUTS.get(object.getClass());
    if (object instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            look(key);
            look(value);
          });
      return layout.bytes + (long) HASHED * map.size();
    }
    if (object instanceof Collection<?> collection) {
      collection.forEach(this::look);
      return layout.bytes + held(collection);
    }
    if (object instanceof Optional<?> optional) {
      optional.ifPresent(this::look);
      return layout.bytes;
    }
    lookAt(object, layout);
    return layout.bytes;
  }

  private static long held(Collection<?> collection) {
    int size = collection.size();
    if (collection instanceof Set) {
      return (long) HASHED * size;
    }
    return collection instanceof LinkedList
        ? (long) LINKED * size
        : aligned(ARRAY_HEADER + (long) REFERENCE * size);
  }

  private void lookAt(Object object, Layout layout) {
    for (Field field : layout.references) {
      try {
        look(field.get(object));
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Bytes of an object without references; -1 for all others. */
  private static long known(Object object) {
    if (object == null
        || object instanceof Enum
        || object instanceof Class
        || object instanceof ClassLoader
        || object instanceof Thread) {
      return 0;
    }
    if (object instanceof String text) {
      return Sizers.text(text);
    }
    Class<?> element = object.getClass().getComponentType();
    return element == null || !element.isPrimitive()
        ? -1
        : aligned(ARRAY_HEADER + (long) width(element) * Array.getLength(object));
  }

  private static int width(Class<?> type) {
    if (type == long.class || type == double.class) {
      return 8;
    }
    if (type == boolean.class || type == byte.class) {
      return 1;
    }
    return type == char.class || type == short.class ? 2 : REFERENCE;
  }

  private static long aligned(long bytes) {
    return (bytes + WORD - 1) / WORD * WORD;
  }
}
