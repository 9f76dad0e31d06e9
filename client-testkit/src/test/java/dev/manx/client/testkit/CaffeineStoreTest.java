/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;

/** The contract over Caffeine. */
class CaffeineStoreTest extends StoreContract {
  @Override
  protected Store<String, byte[]> open(StoreSpec<String, byte[]> spec) {
    return CaffeineStore.factory().open(spec);
  }
}
