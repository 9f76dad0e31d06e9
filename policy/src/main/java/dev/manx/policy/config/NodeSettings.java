/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import java.util.List;

/**
 * The settings of a node's {@code manx.yaml} other than its strategy, as shown in the guide. They
 * are here, not in the plugin, because tools outside a node read such files too.
 */
public final class NodeSettings {
  /** Section {@code plugin}. */
  public static final String PLUGIN_SECTION = "plugin";

  /** Section {@code record}. */
  public static final String RECORD_SECTION = "record";

  /** The sections next to {@code strategy}. */
  public static final List<String> SECTIONS = List.of(PLUGIN_SECTION, RECORD_SECTION);

  /** Section {@code breaker} of {@link #PLUGIN_SECTION}. */
  public static final String BREAKER_SECTION = "breaker";

  /** Section {@code in-flight} of {@link #PLUGIN_SECTION}. */
  public static final String IN_FLIGHT_SECTION = "in-flight";

  /** Section {@code canary} of {@link #PLUGIN_SECTION}; a share alone is its short form. */
  public static final String CANARY_SECTION = "canary";

  /** {@code plugin.calm-after}, which is also a row of {@code manx.strategy}. */
  public static final Setting CALM_AFTER =
      Setting.duration(
          "calm-after",
          "250ms",
          "0",
          "1h",
          "when reads have hardly waited at any node for this long, requests are left to"
              + " stock until reads wait; 0: never");

  /** {@code plugin.kill-file}. */
  public static final Setting KILL_FILE =
      Setting.path(
          "kill-file",
          "manx.off",
          "while this file exists, Manx is off; a relative path is in the folder of manx.yaml");

  /** {@code plugin.persisted-file}. */
  public static final Setting PERSISTED_FILE =
      Setting.path(
          "persisted-file",
          "manx.persisted.yaml",
          "the file of the switches that survive a restart; a relative path is in the folder of"
              + " manx.yaml");

  /** The settings of section {@code plugin} outside its own sections. */
  public static final List<Setting> PLUGIN =
      List.of(
          Setting.word("mode", "mode after start-up", "off", "shadow", "on").withStandard("shadow"),
          KILL_FILE,
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
              "most reads that count as outstanding at a time; with `nodes`, `metrics-tables`"
                  + " and the plans of the request threads at most an eighth of the heap"),
          Setting.flag("learn-from-writes", true, "whether the size oracle learns from writes"),
          Setting.flag(
              "hold-retries",
              true,
              "whether a speculative retry of stock waits while its first replica works, until the"
                  + " second one is idle or, for one retry in 20 answered reads, has no read waiting"),
          CALM_AFTER,
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
          PERSISTED_FILE);

  /** The settings of section {@code breaker}. */
  public static final List<Setting> BREAKER =
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

  /**
   * The settings of section {@code in-flight}: limits of multigets read in parallel that stock
   * would have paged.
   */
  public static final List<Setting> IN_FLIGHT =
      List.of(
          Setting.whole("keys", 16_384, 1, 1 << 24, "most keys at a time on this coordinator"),
          Setting.size(
              "bytes",
              "64MiB",
              "1B",
              "1TiB",
              "most forecast bytes at a time on this coordinator, up to a quarter of the heap; of"
                  + " one request a quarter of them"));

  /** {@code canary.share}. */
  public static final Setting CANARY_SHARE =
      Setting.share(
          "share", 1, 0, 1, "part of the requests that Manx acts on, drawn for each request");

  /** An entry of the list {@code canary.keyspaces}. */
  public static final Setting CANARY_KEYSPACE =
      Setting.text(
          "keyspaces", null, "\\w+", "a keyspace", "all of whose tables' requests are drawn");

  /** An entry of the list {@code canary.tables}. */
  public static final Setting CANARY_TABLE =
      Setting.text("tables", null, "\\w+\\.\\w+", "keyspace.table", "whose requests are drawn");

  /** The file of a decision log. */
  public static final Setting LOG_FILE =
      Setting.path(
          "file",
          "manx-decisions.log",
          "a relative path is in Cassandra's log folder, or in that of manx.yaml if the node"
              + " has none");

  /** {@code record.sample}. */
  public static final Setting SAMPLE =
      Setting.share("sample", 0.01, 1e-6, 1, "share of the decisions to record");

  /** The settings of section {@code record}: the decision log. */
  public static final List<Setting> RECORD =
      List.of(
          Setting.word("mode", "mode after start-up", "off", "on"),
          LOG_FILE,
          Setting.size("max-size", "16MiB", "64KiB", "1GiB", "the log ends at this size"),
          SAMPLE);

  private NodeSettings() {}
}
