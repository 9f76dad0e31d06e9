/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.AbstractMarker;
import org.apache.cassandra.cql3.functions.Function;
import org.apache.cassandra.cql3.restrictions.Restriction;
import org.apache.cassandra.cql3.restrictions.SingleColumnRestriction.InRestrictionWithMarker;
import org.apache.cassandra.cql3.restrictions.SingleColumnRestriction.InRestrictionWithValues;
import org.apache.cassandra.cql3.restrictions.SingleRestriction;
import org.apache.cassandra.cql3.restrictions.StatementRestrictions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.schema.ColumnMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The markers {@code IN ?} and the lists {@code IN (..., ...)} that give a SELECT its partition
 * keys, from Cassandra's own restrictions. A marker's name is not sufficient: a client may give any
 * marker the name that Cassandra uses here.
 *
 * <p>Nothing is evaluated. If this Cassandra stores its restrictions in another form, no marker and
 * no list is known, and keys are evaluated instead.
 */
final class KeyMarkers {
  private static final Logger LOGGER = LoggerFactory.getLogger(KeyMarkers.class);
  private static final int[] NONE = {};
  private static final Fields FIELDS = fields();

  private KeyMarkers() {}

  /**
   * The indexes of these markers among all markers, one for each column of the partition key that
   * is not restricted to one value.
   *
   * @return empty if any such column has other values, or if that is unknown; null if the keys are
   *     also restricted by their tokens rather than only column by column
   */
  static int[] of(SelectStatement select) {
    if (FIELDS == null) {
      return NONE;
    }
    Map<?, ?> restrictions = FIELDS.ofKey(select.getRestrictions());
    if (restrictions == null) {
      return null;
    }
    List<ColumnMetadata> columns = select.table.partitionKeyColumns();
    int[] markers = new int[columns.size()];
    int count = 0;
    for (ColumnMetadata column : columns) {
      Object restriction = restrictions.get(column);
      if (restriction instanceof InRestrictionWithMarker) {
        markers[count++] = FIELDS.marker(restriction);
      } else if (!(restriction instanceof SingleRestriction)
          || !((SingleRestriction) restriction).isEQ()) {
        return NONE;
      }
    }
    return count == markers.length ? markers : Arrays.copyOf(markers, count);
  }

  /**
   * Number of terms in the one list of the statement's text that gives a SELECT its partition keys.
   *
   * @return {@link KeyCount#UNKNOWN} if there is no such list, or if a marker or another list gives
   *     keys too
   */
  static int written(SelectStatement select) {
    Map<?, ?> restrictions = FIELDS == null ? null : FIELDS.ofKey(select.getRestrictions());
    if (restrictions == null) {
      return KeyCount.UNKNOWN;
    }
    List<ColumnMetadata> columns = select.table.partitionKeyColumns();
    int terms = KeyCount.UNKNOWN;
    for (int i = 0; i < columns.size(); i++) {
      Object restriction = restrictions.get(columns.get(i));
      if (restriction instanceof InRestrictionWithValues && terms < 0) {
        terms = FIELDS.terms(restriction);
      } else if (!(restriction instanceof SingleRestriction)
          || !((SingleRestriction) restriction).isEQ()) {
        return KeyCount.UNKNOWN;
      }
    }
    return terms;
  }

  /**
   * Whether the partition keys of a SELECT depend on calls of functions; calls elsewhere in the
   * statement are not evaluated with the keys. True if that is unknown because the keys are also
   * restricted by their tokens.
   */
  static boolean callsFunctions(SelectStatement select) {
    List<Function> functions = new ArrayList<>();
    if (FIELDS == null) {
      select.getRestrictions().addFunctionsTo(functions);
    } else if (!FIELDS.addFunctions(select.getRestrictions(), functions)) {
      return true;
    }
    return !functions.isEmpty();
  }

  private static Fields fields() {
    try {
      return Fields.find();
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOGGER.warn(
          "Manx evaluates the keys of IN ? itself, at some CPU cost, because this Cassandra's"
              + " restrictions are of another form: {}",
          e.toString());
      return null;
    }
  }

  /**
   * Cassandra's fields without accessors. A record, whose handles the compiler takes for constants.
   *
   * @param byColumn class of keys restricted column by column; restrictions of tokens are of
   *     another class
   */
  private record Fields(
      Class<?> byColumn,
      MethodHandle key,
      MethodHandle set,
      MethodHandle columns,
      MethodHandle marker,
      MethodHandle place,
      MethodHandle values) {
    private static final String PACKAGE = StatementRestrictions.class.getPackageName();

    static Fields find() throws ReflectiveOperationException {
      Class<?> byColumn = Class.forName(PACKAGE + ".PartitionKeySingleRestrictionSet");
      Class<?> wrapper = Class.forName(PACKAGE + ".RestrictionSetWrapper");
      Class<?> restrictions = Class.forName(PACKAGE + ".RestrictionSet");
      if (!wrapper.isAssignableFrom(byColumn) || !Restriction.class.isAssignableFrom(byColumn)) {
        throw new NoSuchFieldException(byColumn + " is not a " + wrapper + " or a restriction");
      }
      return new Fields(
          byColumn,
          getter(StatementRestrictions.class, "partitionKeyRestrictions", Object.class),
          getter(wrapper, "restrictions", restrictions, Object.class),
          getter(restrictions, "restrictions", Map.class),
          getter(InRestrictionWithMarker.class, "marker", AbstractMarker.class, Object.class),
          getter(AbstractMarker.class, "bindIndex", int.class),
          getter(InRestrictionWithValues.class, "values", List.class));
    }

    private static MethodHandle getter(Class<?> owner, String field, Class<?> type)
        throws ReflectiveOperationException {
      return getter(owner, field, type, type);
    }

    private static MethodHandle getter(Class<?> owner, String field, Class<?> held, Class<?> as)
        throws ReflectiveOperationException {
      MethodHandle getter =
          MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
              .unreflectGetter(owner.getDeclaredField(field));
      if (!held.isAssignableFrom(getter.type().returnType())) {
        throw new NoSuchFieldException(
            owner.getName() + "." + field + " is not a " + held.getName());
      }
      return getter.asType(MethodType.methodType(as, Object.class));
    }

    /** By column; null if the key is not restricted column by column. */
    Map<?, ?> ofKey(StatementRestrictions restrictions) {
      try {
        Object found = (Object) key.invokeExact((Object) restrictions);
        return found == null || found.getClass() != byColumn
            ? null
            : (Map<?, ?>) columns.invokeExact((Object) set.invokeExact(found));
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    /** Collects the functions of the key; false if it is not restricted column by column. */
    boolean addFunctions(StatementRestrictions restrictions, List<Function> functions) {
      try {
        Object found = (Object) key.invokeExact((Object) restrictions);
        if (found == null || found.getClass() != byColumn) {
          return false;
        }
        ((Restriction) found).addFunctionsTo(functions);
        return true;
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    int marker(Object restriction) {
      try {
        return (int) place.invokeExact((Object) marker.invokeExact(restriction));
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    /** Number of terms in a list. */
    int terms(Object restriction) {
      try {
        return ((List<?>) values.invokeExact(restriction)).size();
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    private static RuntimeException unexpected(Throwable e) {
      if (e instanceof Error) {
        throw (Error) e;
      }
      return new IllegalStateException(e);
    }
  }
}
