/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.control.ControlLoop;
import dev.manx.client.control.Recorder;
import dev.manx.client.control.Share;
import dev.manx.client.control.StatisticsExchange;
import dev.manx.client.store.LruStore;
import dev.manx.client.store.StoreSpec;
import dev.manx.shares.ControllerSettings;
import dev.manx.shares.StatisticsFormatException;
import dev.manx.shares.WindowCodec;
import dev.manx.shares.WindowStatistics;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures the heap that an application server's controller retains: the growth of the used heap
 * for many equal controllers, divided by their number. Each has the arm's policy, shares and
 * recorders of the run's backends, and its full history of windows, which are copies of the run's
 * last one. The stores are empty ones of this process; the connection to the statistics server is
 * not part of it.
 */
final class ControllerMemory {
  /* The heap of the running caches may change by some hundred kilobytes meanwhile, which is some
   * kilobytes for each of this many controllers. */
  private static final int CONTROLLERS = 50;
  private static final int COLLECTIONS = 3;
  private static final double STEP = 1.02;

  private ControllerMemory() {}

  /** Bytes for one controller. */
  static double bytes(LiveArmRun run) {
    byte[] window = WindowCodec.write(run.first().recent());
    List<ControlLoop> controllers = new ArrayList<>(CONTROLLERS);
    // The first one loads the classes.
    controllers.add(controller(run, window));
    long before = usedBytes();
    while (controllers.size() <= CONTROLLERS) {
      controllers.add(controller(run, window));
    }
    long after = usedBytes();
    Reference.reachabilityFence(controllers);
    return Math.max(0, after - before) / (double) CONTROLLERS;
  }

  private static ControlLoop controller(LiveArmRun run, byte[] window) {
    List<String> names = List.copyOf(run.stats().keySet());
    Recorder recorder = new Recorder(1);
    ControllerSettings settings = run.arm().strategy().controller();
    long[] nanos = {0};
    StatisticsExchange exchange =
        (now, own) -> Optional.of(new StatisticsExchange.Merged(copy(window), now));
    ControlLoop loop =
        new ControlLoop(
            run.arm().strategy().newPolicy(),
            settings,
            run.first().stats().capacityBytes(),
            recorder,
            exchange,
            () -> nanos[0]);
    List<Recorder.Slot> slots = new ArrayList<>();
    for (String name : names) {
      slots.add(recorder.add(name));
      loop.add(
          new Share(
              name,
              LruStore.factory()
                  .open(
                      new StoreSpec<Integer, byte[]>(
                          name, 0, (key, value) -> value.length, Optional.empty())),
              0));
    }
    for (int tick = 0; tick < ControllerSettings.MOST_WINDOWS; tick++) {
      nanos[0] += settings.intervalNanos();
      loop.tick();
    }
    record(recorder, slots);
    return loop;
  }

  /** Fills the bins of latencies from 0.1 ms to a second, as one thread does until a tick. */
  private static void record(Recorder recorder, List<Recorder.Slot> slots) {
    for (double nanos = 1e5; nanos < 1e9; nanos *= STEP) {
      for (Recorder.Slot slot : slots) {
        recorder.query(slot, 1, (long) nanos, 1, (long) nanos);
        recorder.request(slot, (long) nanos, false, true);
      }
    }
  }

  private static WindowStatistics copy(byte[] window) {
    try {
      return WindowCodec.read(window, WindowStatistics.MAX_BACKENDS);
    } catch (StatisticsFormatException e) {
      throw new IllegalStateException("a window that was just written", e);
    }
  }

  private static long usedBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
