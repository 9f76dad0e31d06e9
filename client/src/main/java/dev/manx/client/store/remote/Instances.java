/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.policy.config.ConfigNode;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The setting {@code instances} of a kind of remote store: an address for each backend. */
public final class Instances {
  private Instances() {}

  /**
   * Reads the addresses.
   *
   * @param kind the store's mapping
   * @param address reads one address, or rejects it
   * @return the address by backend; it throws a {@link dev.manx.policy.config.ConfigException} for
   *     a backend without one
   * @throws dev.manx.policy.config.ConfigException if there are none
   */
  public static <A> Function<String, A> read(ConfigNode kind, Function<ConfigNode, A> address) {
    if (!kind.isMapping()) {
      throw kind.refuse("a mapping with kind and instances (the address of each backend's server)");
    }
    ConfigNode instances = kind.at("instances");
    Map<String, A> byBackend = new HashMap<>();
    for (String backend : instances.names()) {
      byBackend.put(backend, address.apply(instances.at(backend)));
    }
    return backend -> {
      A found = byBackend.get(backend);
      if (found == null) {
        throw instances.refuseBecause("backend " + backend + " needs an address here");
      }
      return found;
    };
  }
}
