/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;

/**
 * The self-check: whether this Cassandra has the public methods that a hook calls, by shape rather
 * than by version, so that a new patch release keeps working and a changed one is detected before
 * any hook is installed.
 */
final class HookShape {
  private static final Map<String, Class<?>[]> NEEDED =
      Map.of(
          "org.apache.cassandra.service.StorageService.addPreShutdownHook",
          new Class<?>[] {Runnable.class},
          "org.apache.cassandra.config.DatabaseDescriptor.setEndpointSnitch",
          new Class<?>[] {org.apache.cassandra.locator.IEndpointSnitch.class},
          "org.apache.cassandra.net.OutboundSink.add",
          new Class<?>[] {java.util.function.BiPredicate.class},
          "org.apache.cassandra.net.InboundSink.add",
          new Class<?>[] {java.util.function.Predicate.class},
          "org.apache.cassandra.net.RequestCallbacks.remove",
          new Class<?>[] {long.class, org.apache.cassandra.locator.InetAddressAndPort.class},
          "org.apache.cassandra.gms.Gossiper.register",
          new Class<?>[] {org.apache.cassandra.gms.IEndpointStateChangeSubscriber.class},
          "org.apache.cassandra.metrics.SnapshottingTimer.getPercentileSnapshot",
          new Class<?>[0],
          "org.apache.cassandra.concurrent.Stage.unsafeSetExecutor",
          new Class<?>[] {org.apache.cassandra.concurrent.ExecutorPlus.class},
          "dev.manx.cassandra.ManxQueryHandler.route",
          new Class<?>[] {dev.manx.cassandra.ManxQueryHandler.Route.class});

  private HookShape() {}

  /**
   * Checks that a class of Manx has all the methods that this Cassandra's types require; a call of
   * a missing one would be an error in a thread of Cassandra's.
   *
   * @throws NoSuchMethodException names a missing method
   */
  static void complete(Class<?> ours) throws NoSuchMethodException {
    for (Method method : ours.getMethods()) {
      if (Modifier.isAbstract(method.getModifiers())) {
        throw new NoSuchMethodException(ours.getSimpleName() + " lacks " + method);
      }
    }
  }

  /**
   * Checks that a class of Manx that replaces an object of Cassandra's overrides each method of its
   * type. A default method would answer for Manx's object instead of the one behind it. Methods of
   * the JDK's own types are those of the JVM, not of this Cassandra.
   *
   * @throws NoSuchMethodException names a method that it does not pass on
   */
  static void passesOn(Class<?> ours, Class<?> type) throws NoSuchMethodException {
    for (Method method : type.getMethods()) {
      if (!Modifier.isStatic(method.getModifiers())
          // Methods made by the compiler, which call a method that is checked.
          && !method.isSynthetic()
          && !method.getDeclaringClass().getName().startsWith("java.")
          && !overrides(ours, method)) {
        throw new NoSuchMethodException(ours.getSimpleName() + " does not pass on " + method);
      }
    }
  }

  /** Whether a class or one of its superclasses of Manx has a method of its own for another's. */
  private static boolean overrides(Class<?> ours, Method method) {
    for (Class<?> at = ours; isOfManx(at); at = at.getSuperclass()) {
      for (Method own : at.getDeclaredMethods()) {
        if (own.getName().equals(method.getName())
            && own.getReturnType() == method.getReturnType()
            && Arrays.equals(own.getParameterTypes(), method.getParameterTypes())) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isOfManx(Class<?> type) {
    return type.getName().startsWith("dev.manx.");
  }

  /**
   * Checks one method.
   *
   * @param method class and name of a public method listed here
   * @throws ReflectiveOperationException if it is missing, or not public
   */
  static void verify(String method) throws ReflectiveOperationException {
    int dot = method.lastIndexOf('.');
    Class<?> owner = Class.forName(method.substring(0, dot));
    Method found = owner.getMethod(method.substring(dot + 1), NEEDED.get(method));
    if (!Modifier.isPublic(found.getModifiers())) {
      throw new NoSuchMethodException(method + " is not public");
    }
  }
}
