/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/** The contract over Caffeine. */
class CaffeineStoreTest extends StoreContract {
  @Override
  protected Store<String, byte[]> open(StoreSpec<String, byte[]> spec) {
    return CaffeineStore.factory().open(spec);
  }
}
