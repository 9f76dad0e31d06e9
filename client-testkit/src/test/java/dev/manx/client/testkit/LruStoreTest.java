/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import dev.manx.client.store.LruStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;

/** The contract over the plain LRU. */
class LruStoreTest extends StoreContract {
  @Override
  protected Store<String, byte[]> open(StoreSpec<String, byte[]> spec) {
    return LruStore.factory().open(spec);
  }
}
