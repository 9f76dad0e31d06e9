/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.TurnWindow;
import dev.manx.lab.kind.cachelive.LiveSettings.Kind;
import dev.manx.lab.kind.cachelive.LiveSettings.Means;
import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Named;
import dev.manx.lab.settings.Scalar;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;
import dev.manx.workload.CheckedValues;

/** The keys of an experiment on a real cache. */
final class LiveKeys {
  static final String CAFFEINE = "caffeine";

  private static final Section CACHE =
      Section.of(
          Key.required(
              Setting.size("capacity", "4MiB", "4MiB", "64GiB", "size of each arm's cache")),
          Key.of(
              Setting.word(
                  "store",
                  "where values are kept; a server is started for each run",
                  CAFFEINE,
                  "memcached",
                  "redis")));

  private static final Section BACKEND =
      Section.of(
          Key.required(
              Setting.choice(
                  "kind",
                  Kind.class,
                  "a table of Cassandra, a table of H2 on disk, a service that computes, products"
                      + " of matrices, or files")),
          Key.required(Setting.whole("keys", 2, 2, 10_000_000, "number of keys")),
          Key.required(
              Setting.size(
                  "value", "1KiB", CheckedValues.MIN_BYTES + "B", "1MiB", "size of each value")),
          Key.required(Setting.share("in", 1, 0, 1, "share of requests that query it")),
          Key.required(Setting.number("batch", 1, 1, 300, "mean keys of a query, geometric")),
          Key.of(Setting.number("zipf", 0.9, 0, 5, "Zipf's exponent of their popularity")),
          Key.of(Setting.whole("threads", 8, 1, 256, "loads that it serves at once")),
          Key.optional(
              Setting.duration(
                  "work",
                  "1ms",
                  "1us",
                  "1s",
                  "CPU time for each value; of kinds http and matrix, and only of them")));

  private static final Section SQUEEZE =
      Section.of(
          BackendFaults.BACKEND,
          Key.of(
              Setting.choice(
                  "by",
                  Means.class,
                  "a CPU quota of a control group if permitted, otherwise the service's own gate")),
          Key.required(Setting.number("cores", 1, 0.05, 64, "cores left to it")),
          BackendFaults.FROM,
          BackendFaults.DURING);

  static final Setting RATES =
      Setting.rate("loads", 1, 0.1, 100_000, "of requests").withoutStandard();
  static final Key RATE =
      Key.optional(Setting.rate("rate", 1, 0.1, 100_000, "rate of requests, instead of `loads`"));

  static final Section SECTION =
      CommonSettings.top(
          CacheLiveKind.ON,
          LiveArm.SECTION,
          Key.required("cache", CACHE, "the cache that the arms divide"),
          Key.required(
              "backends",
              new Named(
                  // A file of this name is in the folder of a run, and not in the folder above it.
                  "(?!\\.+$)[A-Za-z0-9._-]{1,40}",
                  "names of backends: letters, digits and . _ -, at most 40",
                  BACKEND),
              "backends behind the cache, by name"),
          Key.of(
              Setting.whole(
                  "servers",
                  1,
                  1,
                  16,
                  "application servers of each arm, each with a cache of this capacity; several"
                      + " exchange their statistics and get the requests in turn")),
          RATE,
          Key.optional(
              "loads", new Items(new Scalar(RATES)), "rates of requests, each measured separately"),
          CommonSettings.SEEDS,
          Key.of(time("request-time-out", "5s", "10ms", "time after which a request has failed")),
          Key.optional("squeeze", SQUEEZE, "a backend of kind http gets less CPU in each turn"),
          BackendFaults.LATE,
          BackendFaults.ERRORS,
          BackendFaults.SHIFT,
          Key.of(time("goal", "100ms", "1us", "upper limit of P99")),
          CommonSettings.rounds("turns of each arm, per load and seed", "mark the result as quick"),
          Key.of(time("settle", "0", "0", "load on each arm before the first round, discarded")),
          Key.of(time("warm-up", "0", "0", "discarded at the start of each turn")),
          TurnWindow.lengthKey("1s", "1h"),
          TurnWindow.requestsKey(1),
          Key.optional(
              "sweep",
              CommonSettings.SWEEP.shape(),
              "not for this kind; backends are started once"));

  private LiveKeys() {}

  private static Setting time(String key, String standard, String least, String meaning) {
    return Setting.duration(key, standard, least, "1h", meaning);
  }
}
