/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.exchange.StatisticsClient;
import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.level.LevelKind;
import dev.manx.client.store.StoreKind;
import dev.manx.policy.config.Setting;
import java.util.Collection;
import java.util.List;

/** The settings of the mapping {@code cache}, for editors and reference pages. */
public final class SettingLists {
  private SettingLists() {}

  /** Settings of the cache itself with a single value. */
  public static List<Setting> cache() {
    return FanoutCacheBuilder.SETTINGS;
  }

  /** Settings of a backend, without {@code breaker}. */
  public static List<Setting> backend() {
    return BackendSettings.all();
  }

  /** Settings of a backend's circuit breaker. */
  public static List<Setting> breaker() {
    return BreakerSettings.SETTINGS;
  }

  /** Settings of {@code statistics}, without {@code server}. */
  public static List<Setting> statistics() {
    return StatisticsClient.SETTINGS;
  }

  /** The kinds of stores on the class path. */
  public static Collection<StoreKind> stores() {
    return StoreKinds.stores().byName().values();
  }

  /** The kinds of invalidation channels on the class path. */
  public static Collection<ChannelKind> channels() {
    return StoreKinds.channels().byName().values();
  }

  /** The kinds of second levels on the class path. */
  public static Collection<LevelKind> secondLevels() {
    return StoreKinds.secondLevels().byName().values();
  }
}
