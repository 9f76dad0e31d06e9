/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Memory of an object and of all objects that it references, by the fields of their classes. Each
 * object counts once. Objects that entries share, such as enum constants, classes, threads, locales
 * and time zones, do not count.
 *
 * <p>The JDK does not open its own classes to reflection. Strings, arrays, and the classes of
 * {@link JdkObjects} are supported. So are other classes of the JDK that have only primitive fields
 * and references to final classes of this kind, such as {@code LocalDateTime}.
 */
final class ObjectSize {
  /* HotSpot with compressed class pointers and references, its default for heaps of up to 32 GiB.
   * It fills gaps with smaller fields (since Java 15), so the sum of all fields is exact. */
  private static final int HEADER = 12;
  private static final int ARRAY_HEADER = 16;
  static final int REFERENCE = 4;
  private static final int WORD = 8;

  /** Maximum depth of final classes that reference each other. */
  private static final int MOST_NESTED = 4;

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
   * @param closed the class of the JDK whose other references cannot be followed; null: none
   */
  private record Layout(long bytes, List<Field> references, Class<?> closed) {
    static Layout of(Class<?> type) {
      long sum = HEADER;
      long below = 0;
      Class<?> closed = null;
      List<Field> references = new ArrayList<>();
      for (Class<?> at = type; at != null; at = at.getSuperclass()) {
        for (Field field : at.getDeclaredFields()) {
          if (Modifier.isStatic(field.getModifiers())) {
            continue;
          }
          sum += width(field.getType());
          // An AbstractMap references only views of itself.
          if (field.getType().isPrimitive()
              || field.getType().isEnum()
              || at == AbstractMap.class) {
            continue;
          }
          if (field.trySetAccessible()) {
            references.add(field);
          } else if (at.getModule() == Object.class.getModule()) {
            long plain = plain(field.getType(), MOST_NESTED);
            closed = plain < 0 && closed == null ? at : closed;
            below += Math.max(0, plain);
          } else {
            throw notOpen(at);
          }
        }
      }
      return new Layout(aligned(sum) + below, List.copyOf(references), closed);
    }

    /**
     * Size of any object of this type and of all that it references, if that is the same for all
     * objects of the type; else -1.
     */
    private static long plain(Class<?> type, int nested) {
      if (JdkObjects.areShared(type)) {
        return 0;
      }
      if (nested == 0 || type.isArray() || !Modifier.isFinal(type.getModifiers())) {
        return -1;
      }
      long sum = HEADER;
      long below = 0;
      for (Class<?> at = type; at != null; at = at.getSuperclass()) {
        for (Field field : at.getDeclaredFields()) {
          if (Modifier.isStatic(field.getModifiers())) {
            continue;
          }
          sum += width(field.getType());
          long plain = field.getType().isPrimitive() ? 0 : plain(field.getType(), nested - 1);
          if (plain < 0) {
            return -1;
          }
          below += plain;
        }
      }
      return aligned(sum) + below;
    }
  }

  private static IllegalArgumentException notOpen(Class<?> type) {
    return new IllegalArgumentException(
        type.getName() + ": its module does not open it to " + ObjectSize.class.getModule());
  }

  private ObjectSize() {}

  /**
   * Bytes of an object and of all objects that it references.
   *
   * @throws IllegalArgumentException if it references more than {@link #MOST_OBJECTS}, or an object
   *     whose references cannot be read because its named module is not open to this one
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
      return array(REFERENCE, array.length);
    }
    if (object.getClass().getModule().isNamed()) {
      long encoded = JdkObjects.encoded(object);
      if (encoded >= 0) {
        return encoded;
      }
    }
    Layout layout = LAYOUTS.get(object.getClass());
    lookAt(object, layout);
    if (layout.closed == null) {
      return layout.bytes;
    }
    long behind = JdkObjects.behind(object, this::look);
    if (behind < 0) {
      throw notOpen(layout.closed);
    }
    return layout.bytes + behind;
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
    if (object == null) {
      return 0;
    }
    if (object instanceof String text) {
      return Sizers.text(text);
    }
    if (JdkObjects.areShared(object.getClass())) {
      return 0;
    }
    Class<?> element = object.getClass().getComponentType();
    return element == null || !element.isPrimitive()
        ? -1
        : array(width(element), Array.getLength(object));
  }

  /** Bytes of an array. */
  static long array(int width, long length) {
    return aligned(ARRAY_HEADER + width * length);
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
