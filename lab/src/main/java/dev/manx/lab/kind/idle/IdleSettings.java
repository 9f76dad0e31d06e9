/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.idle;

import dev.manx.contention.idle.WaitingLoad;
import dev.manx.contention.squeeze.Squeeze;
import dev.manx.contention.squeeze.SqueezeKind;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Quiet;
import dev.manx.lab.settings.Document;
import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Quantity;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;
import java.util.List;
import java.util.stream.Stream;

/**
 * The threads and operations of an experiment {@code on: idle}.
 *
 * @param squeeze squeeze of the threads in cases that have one
 * @param load operations; the rate is that of each of {@code loads}
 * @param loads operations per second, each measured separately
 * @param cases each is one class of the results
 */
record IdleSettings(Squeeze squeeze, WaitingLoad load, List<Load> loads, List<SqueezeKind> cases) {
  private static final int MOST_THREADS = 1_000;

  private static final String[] CASES =
      Stream.of(SqueezeKind.UNRESTRICTED, SqueezeKind.PINNED, SqueezeKind.PINNED_NICE)
          .map(SqueezeKind::label)
          .toArray(String[]::new);

  private static final Section OPERATION =
      Section.of(
          Key.required(Setting.duration("work", "1ms", "1us", "1s", "CPU time of an operation")),
          Key.required(Setting.duration("hold", "0", "0", "1s", "part of it that holds the lock")));

  private static final Section SQUEEZE =
      Section.of(
          Key.of(Setting.whole("cores", 1, 1, MOST_THREADS, "cores that all threads share")),
          Key.optional(
                  Setting.whole("boost", 1, 1, MOST_THREADS - 1, "threads with another nice level"))
              .otherwise("half of them"),
          Key.of(Setting.whole("nice", Squeeze.STRONGEST, -20, 19, "nice level of these threads")));

  private static final Quantity LOAD =
      new Quantity(
          List.of(Setting.rate("rate", 1, 1, 1e6, "of operations")),
          "a rate of operations (10k/s)");

  static final Section SECTION =
      CommonSettings.top(
          IdleKind.ON,
          Section.of(
              CommonSettings.DESCRIPTION,
              Key.required(
                  "idle",
                  new Document("idle", "a waiting strategy, or a mapping with its settings"),
                  "the strategy by which threads wait for each other")),
          Key.of(Setting.whole("threads", 8, 2, MOST_THREADS, "threads that share a lock")),
          Key.required("operation", OPERATION, "the repeated operation of each thread"),
          Key.of("squeeze", SQUEEZE, "squeeze of the threads in cases that have one"),
          Key.of(Setting.word("cases", "each is one class of the results", CASES), List.of(CASES)),
          Key.required("loads", new Items(LOAD), "each is measured separately"),
          CommonSettings.SEEDS,
          CommonSettings.rounds("turns of each arm", "mark the result as quick"),
          Key.of(Setting.duration("warm-up", "500ms", "0", "1min", "discarded in each turn")),
          Key.of(
              Setting.duration("window", "3s", "100ms", "10min", "length of each measured window")),
          Key.of(
              Setting.duration(
                  "drain", "10s", "0", "10min", "for operations that are late at its end")),
          Key.optional(
              "quiet", Quiet.SECTION, "limits of noise in a turn, above which it is repeated"),
          CommonSettings.SWEEP);

  static IdleSettings read(Part top) {
    List<Load> loads = top.words("loads").stream().map(Load::of).toList();
    CommonSettings.checkLoads(top, top.words("loads"), "rate of operations (10k/s)");
    return new IdleSettings(
        squeeze(top.part("squeeze"), top.whole("threads")),
        load(top, loads),
        loads,
        top.words("cases").stream().map(SqueezeKind::ofLabel).distinct().sorted().toList());
  }

  private static WaitingLoad load(Part top, List<Load> loads) {
    Part operation = top.part("operation");
    long work = operation.number("work");
    long hold = operation.within("hold", 0, work);
    double most = loads.stream().mapToDouble(Load::requestsPerSecond).max().orElseThrow();
    WaitingLoad load =
        new WaitingLoad(
            top.whole("threads"),
            most,
            work,
            hold,
            top.number("warm-up"),
            top.number("window"),
            top.number("drain"));
    if (load.operations() > WaitingLoad.MOST_OPERATIONS) {
      throw top.node("loads")
          .refuse(
              "at most "
                  + WaitingLoad.MOST_OPERATIONS
                  + " operations in warm-up and window together");
    }
    return load;
  }

  /** Always both: each case uses its part. */
  private static Squeeze squeeze(Part part, int threads) {
    int boost = part.has("boost") ? part.whole("boost", 1, threads - 1) : threads / 2;
    part.put("boost", boost);
    return new Squeeze(part.whole("cores"), boost, "", part.whole("nice"));
  }

  /** The threads' operations at one of the loads. */
  WaitingLoad load(Load at) {
    return new WaitingLoad(
        load.threads(),
        at.requestsPerSecond(),
        load.workNanos(),
        load.holdNanos(),
        load.warmUpNanos(),
        load.windowNanos(),
        load.drainNanos());
  }
}
