/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.store.LocalStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store is in this process. */
@Tag("lincheck")
public class OwnersLincheckTest extends OwnersOperations {
  private static final class Here extends Slots implements LocalStore<Integer, Integer> {
    @Override
    public Integer get(Integer key) {
      return slots.get(key);
    }

    @Override
    public void put(Integer key, Integer value) {
      slots.set(key, value);
    }

    @Override
    public void invalidate(Integer key) {
      slots.set(key, null);
    }
  }

  /** Called by Lincheck for each schedule. */
  public OwnersLincheckTest() {
    super(new Here(), (store, counters) -> null);
  }

  @Test
  void modelChecking() throws NoSuchMethodException {
    check();
  }
}
