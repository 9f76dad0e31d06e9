/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.Setting;
import dev.manx.policy.oracle.SizeOracle;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.spi.PolicyProvider;
import dev.manx.policy.strategy.Blueprint;
import java.nio.ByteBuffer;
import java.util.List;

/** A third party's oracle whose factory waits until a test releases it. */
public final class WaitingPolicies implements PolicyProvider {
  static volatile Runnable made = () -> {};

  @Override
  public List<PolicyInfo> policies() {
    return List.of(
        PolicyInfo.named("oracle.size-waiting", "waits when it is made")
            .settings(Setting.size(Blueprint.MEMORY, "1KiB", "1KiB", "1GiB", "what it holds"))
            .at(Place.COORDINATOR)
            .make(settings -> oracle(settings.number(Blueprint.MEMORY))));
  }

  private static SizeOracle oracle(long bytes) {
    made.run();
    return new SizeOracle() {
      @Override
      public long sizeBytes(ByteBuffer key, long keyHash) {
        return 1;
      }

      @Override
      public void learn(ByteBuffer key, long keyHash, long sizeBytes) {}

      @Override
      public long largeAboveBytes() {
        return 1;
      }

      @Override
      public long memoryBytes() {
        return bytes;
      }

      @Override
      public double fillRatio() {
        return 0;
      }
    };
  }
}
