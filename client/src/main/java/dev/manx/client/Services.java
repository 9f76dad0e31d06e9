/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.log.SparseLog;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The providers of a service by name: those of this jar, and those that the class loaders of this
 * jar and of the current thread find. A provider that cannot be loaded is skipped, with a warning.
 *
 * @param byName loaded providers
 * @param broken reasons why others could not be loaded
 */
record Services<T>(Map<String, T> byName, Set<String> broken) {
  /** Limits the attempts, because a class loader may fail for ever. */
  private static final int MOST_BROKEN = 100;

  private static final SparseLog LOG = new SparseLog(Services.class);

  /**
   * Finds the providers.
   *
   * @throws IllegalStateException if two have the same name
   */
  static <T> Services<T> find(Class<T> service, Function<T, String> name, List<T> builtIn) {
    Services<T> found = new Services<>(new LinkedHashMap<>(), new LinkedHashSet<>());
    builtIn.forEach(provider -> found.add(name.apply(provider), provider));
    Stream.of(Services.class.getClassLoader(), Thread.currentThread().getContextClassLoader())
        .filter(Objects::nonNull)
        .distinct()
        .forEach(loader -> found.load(ServiceLoader.load(service, loader).iterator(), name));
    if (!found.broken.isEmpty()) {
      LOG.warn("skipped providers that cannot be loaded: " + String.join("; ", found.broken), null);
    }
    return new Services<>(
        Collections.unmodifiableMap(found.byName), Collections.unmodifiableSet(found.broken));
  }

  private void load(Iterator<T> providers, Function<T, String> name) {
    for (int failures = 0; failures < MOST_BROKEN; failures++) {
      try {
        while (providers.hasNext()) {
          T provider = providers.next();
          add(name.apply(provider), provider);
        }
        return;
      } catch (ServiceConfigurationError | LinkageError e) {
        broken.add(String.valueOf(e.getMessage()));
      }
    }
  }

  private void add(String name, T provider) {
    T other = byName.putIfAbsent(name, provider);
    // Both class loaders may find it, each as a separate class.
    if (other != null && !other.getClass().getName().equals(provider.getClass().getName())) {
      throw new IllegalStateException(
          "two providers are named " + name + ": " + other + ", " + provider);
    }
  }

  /** The names of the loaded providers. */
  Collection<String> names() {
    return byName.keySet();
  }
}
