/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.Setting;
import java.util.List;

/** The settings of the {@code plugin:} section, as shown in the guide. */
final class PluginSettings {
  static final Setting CALM =
      Setting.duration(
          PluginConfig.CALM_AFTER,
          "250ms",
          "0",
          "1h",
          "when reads have hardly waited at any node for this long, requests are left to"
              + " stock until reads wait; 0: never");

  static final List<Setting> OWN =
      List.of(
          Setting.word("mode", "mode after start-up", "off", "shadow", "on").withStandard("shadow"),
          Setting.path(
              "kill-file",
              "manx.off",
              "while this file exists, Manx is off; a relative path is in the folder of manx.yaml"),
          Setting.whole(
              "unpage-up-to",
              256,
              0,
              100_000,
              "multigets of up to this many keys are read in parallel when the result"
                  + " provably fits one page; 0: none"),
          Setting.whole(
              "widest-request", 10_000, 1, 100_000, "requests with more keys are left to stock"),
          Setting.whole("nodes", 1_024, 1, 10_000, "most endpoints that are known at a time"),
          Setting.whole(
              "outstanding",
              65_536,
              64,
              1 << 22,
              "most reads that count as outstanding at a time; with `nodes` and `metrics-tables`"
                  + " at most an eighth of the heap"),
          Setting.flag("learn-from-writes", true, "whether the size oracle learns from writes"),
          CALM,
          Setting.duration(
              "rack-price",
              "0",
              "0",
              "1min",
              "how much longer a read waits in its coordinator's rack before it leaves it, in"
                  + " addition to the network time"),
          Setting.duration(
              "severity-price",
              "1s",
              "0",
              "1h",
              "how much longer a read waits elsewhere before it goes to a node whose severity an"
                  + " operator set to 1 over JMX; half as long at 0.5; 0: severity is ignored"),
          Setting.whole(
              "metrics-tables",
              32,
              0,
              1_000,
              "most tables whose requests have a set of metrics of their own; the others share"
                  + " one set"),
          Setting.path(
              "persisted-file",
              PersistedFile.NAME,
              "the file of the switches that survive a restart; a relative path is in the folder of"
                  + " manx.yaml"));

  static final List<Setting> BREAKER =
      List.of(
          Setting.whole(
              "failures",
              10,
              1,
              1_000_000,
              "throwables of Manx's own code within `window` that switch it off"),
          Setting.duration("window", "10s", "1ns", "1h", "time within which the throwables count"),
          Setting.duration(
              "retry-after",
              "1min",
              "0",
              "24h",
              "an open breaker lets Manx try again after this; 0: never"));

  /** For multigets read in parallel that stock would have paged; beyond, stock's paging is kept. */
  static final List<Setting> IN_FLIGHT =
      List.of(
          Setting.whole("keys", 16_384, 1, 1 << 24, "most keys at a time on this coordinator"),
          Setting.size(
              "bytes",
              "64MiB",
              "1B",
              "1TiB",
              "most forecast bytes at a time on this coordinator, up to a quarter of the heap; of"
                  + " one request a quarter of them"));

  private PluginSettings() {}
}
