/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.RequestClass;
import dev.manx.workload.WorkloadSpec;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A run of requests with concurrent background work, over one warm-up and window. The result has
 * one additional class for each kind of work; {@link RequestClass#ALL} contains the requests alone.
 */
public final class MixedRun {
  private final LoadRun requests;
  private final Map<RequestClass, LoadRun> others = new EnumMap<>(RequestClass.class);

  /**
   * Prepares the background's statements.
   *
   * @param requests the measured run
   * @param settings settings of that run
   * @param workload the workload of the requests, for its keys
   * @param seed of the background's streams
   */
  public MixedRun(
      LoadRun requests,
      LoadSettings settings,
      Background background,
      KvTable table,
      WorkloadSpec workload,
      long seed) {
    this(requests, runs(settings, background, table, workload, seed));
  }

  MixedRun(LoadRun requests, Map<RequestClass, LoadRun> others) {
    this.requests = requests;
    this.others.putAll(others);
  }

  private static Map<RequestClass, LoadRun> runs(
      LoadSettings settings,
      Background background,
      KvTable table,
      WorkloadSpec workload,
      long seed) {
    Map<RequestClass, LoadRun> runs = new EnumMap<>(RequestClass.class);
    LoadSettings own = settings.withClasses(List.of());
    background
        .rates()
        .forEach(
            (kind, perSecond) ->
                runs.put(
                    kind,
                    new LoadRun(
                        Background.stream(workload, perSecond, seed * 31 + kind.ordinal()),
                        BackgroundTarget.of(kind, background, table),
                        own,
                        look -> {})));
    return runs;
  }

  /**
   * Runs all to the end of the window and waits for stragglers.
   *
   * @throws InterruptedException if the thread is interrupted; requests in flight are left alone
   */
  public LoadResult run() throws InterruptedException {
    if (others.isEmpty()) {
      return requests.run();
    }
    ExecutorService threads = Executors.newFixedThreadPool(others.size(), MixedRun::thread);
    try {
      Map<RequestClass, Future<LoadResult>> results = new EnumMap<>(RequestClass.class);
      others.forEach(
          (kind, run) -> results.put(kind, threads.submit((Callable<LoadResult>) run::run)));
      LoadResult merged = requests.run();
      for (Map.Entry<RequestClass, Future<LoadResult>> entry : results.entrySet()) {
        merged = merged.with(entry.getKey(), entry.getValue().get());
      }
      return merged;
    } catch (ExecutionException e) {
      throw new IllegalStateException("the background's load failed: " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "manx-background-load");
    thread.setDaemon(true);
    return thread;
  }
}
