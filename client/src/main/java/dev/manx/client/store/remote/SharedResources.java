/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;

/** Two threads of lettuce for all shares of this process, made at first use; they are daemons. */
final class SharedResources {
  private static final ClientResources RESOURCES =
      DefaultClientResources.builder().ioThreadPoolSize(2).computationThreadPoolSize(2).build();

  private SharedResources() {}

  static ClientResources get() {
    return RESOURCES;
  }
}
