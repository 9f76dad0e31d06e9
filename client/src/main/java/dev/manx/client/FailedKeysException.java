/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.Map;

/**
 * A {@link Loader} could not read some of its keys. Only these keys fail; the others are answered
 * and cached as usual.
 */
public final class FailedKeysException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  // Not generic, because exceptions cannot be.
  private final transient Map<?, ?> values;
  private final transient Map<?, ? extends Throwable> failed;

  /**
   * Creates the failure of some keys.
   *
   * @param values by key; keys that are in neither map do not exist
   * @param failed failures by key, at least one; a key that also has a value has not failed
   */
  public <K> FailedKeysException(
      Map<? extends K, ?> values, Map<? extends K, ? extends Throwable> failed) {
    super(failed.size() + " keys could not be read", failed.values().iterator().next());
    this.values = values;
    this.failed = failed;
  }

  /** Values by key. */
  public Map<?, ?> values() {
    return values;
  }

  /** Failures by key. */
  public Map<?, ? extends Throwable> failed() {
    return failed;
  }
}
