/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.spi.PolicyProvider;
import dev.manx.shares.SharePolicy;
import dev.manx.shares.ShareView;
import java.util.List;

/** Share policies of a third party. */
public final class OwnSharePolicies implements PolicyProvider {
  @Override
  public List<PolicyInfo> policies() {
    return List.of(
        PolicyInfo.named("cache.kept", "every share stays as it is").make(s -> kept()),
        PolicyInfo.named("cache.kept-in-simulator", "the same for the simulator alone")
            .at(Place.SIMULATOR)
            .make(s -> kept()));
  }

  private static SharePolicy kept() {
    return ShareView::allocated;
  }
}
