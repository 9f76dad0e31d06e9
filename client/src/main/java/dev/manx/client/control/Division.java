/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.policy.NanoClock;
import dev.manx.policy.config.Units;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The present shares of a cache. Applies the controller's moves, shrinking before growing, and
 * reports to the controller how far each store got. Confined to its owner's lock.
 */
final class Division {
  private static final Logger LOGGER = LoggerFactory.getLogger(ControlLoop.class);

  private final Resizer resizer;
  private final Map<String, Share> shares = new LinkedHashMap<>();
  private final FixedShares fixed = new FixedShares();
  private final Seen seen = new Seen();
  private final NanoClock clock;
  private final ShareController controller;
  private boolean deciding;
  private long decidedNanos;
  private long movedBefore;
  // Taken from the owner at its last decision.
  private long ticks;
  private boolean floorsReported;
  // Whether a move failed since the shares were last made equal.
  private boolean unequal;

  /** Creates a division without shares. */
  Division(
      SharePolicy policy,
      ControllerSettings settings,
      long capacityBytes,
      Resizer resizer,
      NanoClock clock) {
    this.clock = clock;
    this.resizer = resizer;
    controller = new ShareController(policy, settings, capacityBytes, List.of());
  }

  /**
   * A decision that the stores have carried out.
   *
   * @param bytes growth of all shares together, above 0
   * @param nanos since the decision
   */
  record Done(long bytes, long nanos) {}

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
    book(share);
    apply(controller.tick(nowNanos, null, seen));
  }

  /** Adds a share as {@link #add} does, and makes all shares equal. */
  void addEqual(Share share) {
    book(share);
    applyEqual(controller.equalize());
  }

  private void applyEqual(List<Move> shrinks) {
    long failed = resizer.failed();
    apply(shrinks);
    unequal |= resizer.failed() > failed;
  }

  private void book(Share share) {
    long least = share.leastBytes();
    controller.granularity(share.store().pageBytes());
    controller.add(share.name(), least);
    shares.put(share.name(), share);
    if (!floorsReported && controller.floorBytes() > controller.capacityBytes() / 2) {
      floorsReported = true;
      LOGGER.warn(
          "{} of {} are floors of shares and never move; set a smaller floor",
          Units.bytes(controller.floorBytes()),
          Units.bytes(controller.capacityBytes()));
    }
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
   * @param equal whether no request was recorded yet, so that the shares should be equal
   * @return a decision that is now carried out and has moved space; null if there is none
   */
  Done decide(long tick, long nowNanos, DecisionStatistics statistics, boolean equal) {
    ticks = tick;
    release();
    List<Move> shrinks = controller.tick(nowNanos, statistics, seen);
    if (controller.outcome() != Outcome.DEFERRED) {
      deciding = controller.outcome() == Outcome.DECIDED;
      decidedNanos = nowNanos;
      movedBefore = resizer.bytesMoved();
    }
    if (!equal) {
      apply(shrinks);
    } else if (unequal && controller.outcome() == Outcome.FROZEN) {
      unequal = false;
      applyEqual(controller.equalize());
    } else {
      applyEqual(shrinks);
    }
    return done();
  }

  /**
   * Retries fixed shares. A store may have more than its share, which decisions alone would not
   * change.
   */
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

  private Done done() {
    if (!deciding || !controller.settled()) {
      return null;
    }
    deciding = false;
    long bytes = resizer.bytesMoved() - movedBefore;
    return bytes > 0 ? new Done(bytes, Math.max(0, clock.nanoTime() - decidedNanos)) : null;
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
