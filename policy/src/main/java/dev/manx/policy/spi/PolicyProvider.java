/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.spi;

import java.util.List;

/**
 * Adds policies of a third party's jar: a service file names its implementation of this interface.
 */
public interface PolicyProvider {
  /** The policies to add; a name already in use is refused. */
  List<PolicyInfo> policies();
}
