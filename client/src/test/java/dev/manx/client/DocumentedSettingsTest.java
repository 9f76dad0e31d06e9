/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.exchange.StatisticsChannelKind;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.SettingTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The docs list the settings as declared in the code. */
class DocumentedSettingsTest {
  static List<List<Setting>> lists() {
    return List.of(FanoutCacheBuilder.SETTINGS, BackendSettings.all(), BreakerSettings.SETTINGS);
  }

  @ParameterizedTest
  @MethodSource("lists")
  void theGuideHasTheTable(List<Setting> settings) throws IOException {
    Path guide = Path.of(System.getProperty("manx.home"), "docs", "embed", "client.md");
    assertThat(Files.readString(guide)).contains(SettingTable.markdown(settings));
  }

  static List<List<Setting>> listsOfStores() {
    return List.of(
        RemoteSettings.SETTINGS,
        LevelSettings.SETTINGS,
        SettingLists.statistics(),
        new StatisticsChannelKind().settings());
  }

  @ParameterizedTest
  @MethodSource("listsOfStores")
  void thePageOfStoresHasTheTable(List<Setting> settings) throws IOException {
    Path page = Path.of(System.getProperty("manx.home"), "docs", "embed", "cache-stores.md");
    assertThat(Files.readString(page)).contains(SettingTable.markdown(settings));
  }
}
