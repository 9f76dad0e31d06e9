/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.policy.NanoClock;
import dev.manx.shares.ControllerSettings;
import dev.manx.shares.DecisionStatistics;
import dev.manx.shares.LocalCache;
import dev.manx.shares.MissCurve;
import dev.manx.shares.Move;
import dev.manx.shares.ShareController;
import dev.manx.shares.ShareController.Outcome;
import dev.manx.shares.SharePolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The present shares of a cache. Applies the controller's moves, shrinking before growing, and
 * reports to the controller how far each store got. Confined to its owner's lock.
 */
final class Division {
  private final SharePolicy policy;
  private final ControllerSettings settings;
  private final long capacityBytes;
  private final Resizer resizer;
  private final Map<String, Share> shares = new LinkedHashMap<>();
  private final FixedShares fixed = new FixedShares();
  private final Seen seen = new Seen();
  private final NanoClock clock;
  private MoveListener listener = (bytes, nanos) -> {};
  private ShareController controller;
  private boolean deciding;
  private long decidedNanos;
  private long movedBefore;
  // Taken from the owner at its last decision.
  private long ticks;

  /** Creates a division without shares. */
  Division(
      SharePolicy policy,
      ControllerSettings settings,
      long capacityBytes,
      Resizer resizer,
      NanoClock clock) {
    this.clock = clock;
    this.policy = policy;
    this.settings = settings;
    this.capacityBytes = capacityBytes;
    this.resizer = resizer;
    controller = new ShareController(policy, settings, capacityBytes, List.of());
  }

  /** Sets the listener of completed decisions. */
  void listen(MoveListener newListener) {
    listener = newListener;
  }

  /** The shares as seen by the controller. */
  private final class Seen implements LocalCache {
    @Override
    public long usedBytes(String backend) {
      Share share = shares.get(backend);
      return share == null ? 0 : share.store().usedBytes();
    }

    @Override
    public long withoutRoom(String backend) {
      Share share = shares.get(backend);
      return share == null ? 0 : share.store().withoutRoom();
    }

    @Override
    public MissCurve missCurve(String backend) {
      Share share = shares.get(backend);
      return share == null ? null : share.missCurve();
    }
  }

  /**
   * Adds a share that begins at its floor.
   *
   * @throws IllegalArgumentException if the name is already in use or the floors together exceed
   *     the capacity
   */
  void add(Share share, long nowNanos) {
    controller.granularity(share.store().pageBytes());
    controller.add(share.name(), share.leastBytes());
    shares.put(share.name(), share);
    apply(controller.tick(nowNanos, null, seen));
  }

  /**
   * Adds a share and makes all shares equal.
   *
   * @throws IllegalArgumentException if the name is already in use or the floors together exceed
   *     the capacity
   */
  void addEqual(Share share) {
    List<String> names = new ArrayList<>(shares.keySet());
    names.add(share.name());
    long granularity = share.store().pageBytes();
    for (Share each : shares.values()) {
      granularity = Math.max(granularity, each.store().pageBytes());
    }
    ShareController equal =
        new ShareController(policy, settings, capacityBytes, names, granularity);
    for (Share each : shares.values()) {
      equal.floor(each.name(), each.leastBytes());
    }
    equal.floor(share.name(), share.leastBytes());
    controller = equal;
    fixed.clear();
    List<Move> all = new ArrayList<>();
    for (Share each : shares.values()) {
      all.add(new Move(each.name(), each.store().allocatedBytes(), equal.limitBytes(each.name())));
    }
    shares.put(share.name(), share);
    all.add(new Move(share.name(), share.store().allocatedBytes(), equal.limitBytes(share.name())));
    // What a store did not take is free for the others at the next tick.
    resizer.resize(all.stream().filter(Move::shrinks).toList(), shares).forEach(this::confirm);
    resizer
        .resize(all.stream().filter(move -> !move.shrinks()).toList(), shares)
        .forEach(this::confirm);
    fixRefused();
  }

  private void fixRefused() {
    fixed.fix(resizer.takeRefused(), ticks, controller, shares);
  }

  /** Removes a share, if present; the others receive its space at the next tick. */
  void remove(String name) {
    if (shares.remove(name) == null) {
      return;
    }
    fixed.remove(name);
    // The caller closes the store, so its space is certainly free.
    for (Move move : controller.remove(name)) {
      grow(controller.confirm(move.backend(), move.toBytes()));
    }
  }

  /**
   * Asks the controller for a decision and applies it.
   *
   * @param tick number of ticks, including this one
   * @param statistics null if the shares should stay
   * @return the outcome
   */
  Outcome decide(long tick, long nowNanos, DecisionStatistics statistics) {
    ticks = tick;
    release();
    List<Move> shrinks = controller.tick(nowNanos, statistics, seen);
    if (controller.outcome() != Outcome.DEFERRED) {
      deciding = controller.outcome() == Outcome.DECIDED;
      decidedNanos = nowNanos;
      movedBefore = resizer.bytesMoved();
    }
    apply(shrinks);
    tellIfDone();
    return controller.outcome();
  }

  /** Retries fixed shares. A store may have more than its share, which no decision would change. */
  private void release() {
    List<Move> corrections = new ArrayList<>();
    for (String name : fixed.release(ticks, controller)) {
      long has = shares.get(name).store().allocatedBytes();
      if (has != controller.limitBytes(name)) {
        corrections.add(new Move(name, has, controller.limitBytes(name)));
      }
    }
    resizer.resize(corrections, shares).forEach(this::confirm);
    fixRefused();
  }

  private void tellIfDone() {
    if (!deciding || !controller.settled()) {
      return;
    }
    deciding = false;
    long bytes = resizer.bytesMoved() - movedBefore;
    if (bytes > 0) {
      listener.moved(bytes, Math.max(0, clock.nanoTime() - decidedNanos));
    }
  }

  private void apply(List<Move> shrinks) {
    Map<Move, Long> reached = resizer.resize(shrinks, shares);
    List<Move> grows = new ArrayList<>();
    reached.forEach((move, bytes) -> grows.addAll(confirm(move, bytes)));
    fixRefused();
    grows.addAll(controller.grow());
    grow(grows);
  }

  private void grow(List<Move> grows) {
    List<Move> next = grows;
    while (!next.isEmpty()) {
      List<Move> more = new ArrayList<>();
      resizer.resize(next, shares).forEach((move, bytes) -> more.addAll(confirm(move, bytes)));
      fixRefused();
      next = more;
    }
  }

  private List<Move> confirm(Move move, long bytes) {
    long limit = controller.limitBytes(move.backend());
    return controller.confirm(move.backend(), Math.max(0, Math.min(limit, bytes)));
  }

  /** The outcome of the last decision. */
  Outcome outcome() {
    return controller.outcome();
  }

  /** Shares whose stores reject resizing. */
  Set<String> fixed() {
    return fixed.names();
  }
}
