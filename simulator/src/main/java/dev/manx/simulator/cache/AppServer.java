/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import dev.manx.shares.AnswerTimes;
import dev.manx.shares.ByteLru;
import dev.manx.shares.CacheStrategy;
import dev.manx.shares.DecisionStatistics;
import dev.manx.shares.LocalCache;
import dev.manx.shares.MissCurve;
import dev.manx.shares.Move;
import dev.manx.shares.PolicyReport;
import dev.manx.shares.ShadowQueue;
import dev.manx.shares.ShadowSampler;
import dev.manx.shares.ShareController;
import dev.manx.shares.SharePolicy;
import dev.manx.shares.WindowRecorder;
import dev.manx.simulator.cache.Completions.End;
import java.util.List;
import java.util.Map;

/** An application server: its cache, its statistics and its controller. */
final class AppServer implements LocalCache {
  private final List<String> names;
  private final QuerySource source;
  private final int[] offsets;
  private final long[] readyNanos;
  private final boolean partitioned;
  private final ByteLru[] caches;
  private final long[] usedBytes;
  private final long[] withoutRoom;
  private final ShadowQueue[] shadows;
  private final ShadowSampler[] samplers;
  private final SharePolicy policy;
  // Null if all backends share one cache.
  private final ShareController controller;
  private final WindowRecorder recorder;
  private final AnswerTimes[] answerTimes;
  private final long capacityBytes;
  private long tickNanos;

  /**
   * Creates a server with empty caches.
   *
   * @param initial shares, or null for equal ones
   * @param timeScale 0.1 if an hour takes six minutes
   */
  AppServer(
      CacheModel model,
      QuerySource source,
      CacheStrategy strategy,
      Map<String, Long> initial,
      double timeScale) {
    this.names = model.names();
    this.source = source;
    this.capacityBytes = model.cacheBytes();
    int n = names.size();
    offsets = new int[n + 1];
    for (int b = 0; b < n; b++) {
      offsets[b + 1] = offsets[b] + source.objects(b);
    }
    readyNanos = new long[offsets[n]];
    usedBytes = new long[n];
    withoutRoom = new long[n];
    recorder = new WindowRecorder(names);
    policy = strategy.newPolicy();
    partitioned = policy.partitions();
    controller = partitioned ? controller(strategy, initial) : null;
    caches = new ByteLru[n];
    ByteLru one = partitioned ? null : new ByteLru(offsets[n], capacityBytes, this::evicted);
    shadows = new ShadowQueue[policy.shadowBytes() > 0 ? n : 0];
    samplers = new ShadowSampler[policy.wantsCurves() ? n : 0];
    answerTimes = new AnswerTimes[n];
    for (int b = 0; b < n; b++) {
      int backend = b;
      answerTimes[b] = new AnswerTimes(Long.MAX_VALUE);
      caches[b] =
          partitioned
              ? new ByteLru(
                  source.objects(b),
                  controller.limitBytes(names.get(b)),
                  object -> evicted(backend, object))
              : one;
      if (shadows.length > 0) {
        shadows[b] = new ShadowQueue(source.objects(b), policy.shadowBytes());
      }
      if (samplers.length > 0) {
        samplers[b] = new ShadowSampler(capacityBytes, timeScale);
      }
    }
  }

  private ShareController controller(CacheStrategy strategy, Map<String, Long> initial) {
    return initial == null
        ? new ShareController(policy, strategy.controller(), capacityBytes, names)
        : new ShareController(policy, strategy.controller(), capacityBytes, initial);
  }

  private int slot(int backend, int object) {
    return partitioned ? object : offsets[backend] + object;
  }

  /** Passes a query to the samplers, before any other processing. */
  void sample(int backend, int object) {
    if (samplers.length > 0) {
      samplers[backend].query(object, source.bytes(backend, object));
    }
  }

  /** Records a use of an object, and returns whether it is in the cache or in flight. */
  boolean touch(int backend, int object) {
    return caches[backend].touch(slot(backend, object));
  }

  /** The arrival time, past or future, of an object in the cache. */
  long readyNanos(int backend, int object) {
    return readyNanos[offsets[backend] + object];
  }

  /** Records that a missed object is in flight. */
  void fetch(int backend, int object, long ready) {
    if (shadows.length > 0 && shadows[backend].missed(object)) {
      recorder.shadowHit(backend);
    }
    int bytes = source.bytes(backend, object);
    if (caches[backend].put(slot(backend, object), bytes)) {
      usedBytes[backend] += bytes;
      readyNanos[offsets[backend] + object] = ready;
    } else {
      withoutRoom[backend]++;
    }
  }

  private void evicted(int globalSlot) {
    int backend = 0;
    while (globalSlot >= offsets[backend + 1]) {
      backend++;
    }
    evicted(backend, globalSlot - offsets[backend]);
  }

  private void evicted(int backend, int object) {
    int bytes = source.bytes(backend, object);
    usedBytes[backend] -= bytes;
    withoutRoom[backend]++;
    if (shadows.length > 0) {
      shadows[backend].evicted(object, bytes);
    }
  }

  /** Records a query that was in the cache. */
  void hit(int backend, long nanos) {
    recorder.foundKeys(backend, 1, nanos);
  }

  /** Records the end of a query that was not in the cache. */
  void missed(int backend, long nanos, End end) {
    boolean counts =
        switch (end) {
          case ANSWERED, UNCACHED -> {
            answerTimes[backend].answered(nanos);
            yield end == End.ANSWERED;
          }
          case FAILED, UNCACHED_FAILED -> answerTimes[backend].failed(nanos) && end == End.FAILED;
          case JOINED -> true;
          case LAST -> false;
        };
    if (counts) {
      recorder.missedKeys(backend, 1, nanos);
    } else if (end == End.LAST) {
      recorder.query(backend, true);
    }
  }

  WindowRecorder recorder() {
    return recorder;
  }

  /**
   * Lets the controller decide, and applies its moves at once.
   *
   * @param statistics null if the shares should stay
   */
  void tick(long nowNanos, DecisionStatistics statistics) {
    if (!partitioned) {
      return;
    }
    tickNanos = nowNanos;
    for (Move move : controller.tick(nowNanos, statistics, this)) {
      resize(move);
      controller.confirm(move.backend(), move.toBytes()).forEach(this::resize);
    }
    controller.grow().forEach(this::resize);
  }

  private void resize(Move move) {
    caches[names.indexOf(move.backend())].resize(move.toBytes());
  }

  /** Whether backends have separate shares. */
  boolean partitioned() {
    return partitioned;
  }

  /** Limit of a backend's share in bytes; its use if there are no shares. */
  long shareBytes(int backend) {
    return partitioned ? controller.limitBytes(names.get(backend)) : usedBytes[backend];
  }

  /** Its policy's report about itself. */
  PolicyReport report() {
    return policy.report();
  }

  /** Whether limits, free space and use are consistent. */
  boolean conserves() {
    long used = 0;
    long limits = partitioned ? controller.freeBytes() : 0;
    for (int b = 0; b < caches.length; b++) {
      used += usedBytes[b];
      limits += partitioned ? controller.limitBytes(names.get(b)) : 0;
      if (partitioned
          && (caches[b].usedBytes() != usedBytes[b]
              || caches[b].limitBytes() != controller.limitBytes(names.get(b))
              || usedBytes[b] > caches[b].limitBytes())) {
        return false;
      }
    }
    return used <= capacityBytes && (!partitioned || limits == capacityBytes);
  }

  @Override
  public long usedBytes(String backend) {
    return usedBytes[names.indexOf(backend)];
  }

  @Override
  public long withoutRoom(String backend) {
    return withoutRoom[names.indexOf(backend)];
  }

  @Override
  public MissCurve missCurve(String backend) {
    return samplers.length == 0 ? null : samplers[names.indexOf(backend)].curve(tickNanos);
  }
}
