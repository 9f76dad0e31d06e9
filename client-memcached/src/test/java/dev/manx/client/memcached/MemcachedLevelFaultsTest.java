/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import org.junit.jupiter.api.Tag;

/** A second level in one memcached that fails. */
@Tag("engines")
class MemcachedLevelFaultsTest extends MemcachedLevelFaultsContract {
  @Override
  int count() {
    return 1;
  }
}
