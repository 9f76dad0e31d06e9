/* SPDX-License-Identifier: Apache-2.0 */
package example;

import dev.manx.policy.strategy.PolicyInfo;
import dev.manx.policy.strategy.PolicyInfo.Place;
import dev.manx.policy.strategy.PolicyProvider;
import dev.manx.policy.strategy.Setting;
import java.util.List;
import java.util.Set;

/** Adds the policies of this jar to Manx's registry. */
public final class OwnPolicies implements PolicyProvider {
  private static final long MILLI = 1_000_000;

  @Override
  public List<PolicyInfo> policies() {
    return List.of(
        new PolicyInfo(
            "select.reported-queue",
            "fewest reads waiting, as the nodes report it",
            "an example",
            Set.of(Place.COORDINATOR, Place.SIMULATOR),
            List.of(
                Setting.duration(
                    "max-age", 500 * MILLI, MILLI, 60_000 * MILLI, "older reports do not count")),
            List.of("pending-reads"),
            settings -> new ReportedQueueSelector(settings.number("max-age"))));
  }
}
