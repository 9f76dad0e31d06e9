/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.spi;

import java.util.List;

/** How a third party's jar adds policies: a service file names its implementation of this. */
public interface PolicyProvider {
  /** Its policies; a name that is taken is refused. */
  List<PolicyInfo> policies();
}
