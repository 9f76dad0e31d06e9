/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import org.junit.jupiter.api.Tag;

/** A second level in three memcached servers that all fail. */
@Tag("engines")
class MemcachedFleetFaultsTest extends MemcachedLevelFaultsContract {
  @Override
  int count() {
    return 3;
  }
}
