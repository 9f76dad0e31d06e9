/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.shares.ShareLedger.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ledger of one application server's cache: asks its {@link SharePolicy} what the shares should
 * be, and turns that into moves that a real store can follow. Confined to one thread or its owner's
 * lock.
 *
 * <pre>{@code
 * if (controller.due(now)) {
 *   for (Move move : controller.tick(now, recent, recentAsOf, cache)) {     // all of these shrink
 *     long limit = stores.resize(move.backend(), move.toBytes());
 *     for (Move grow : controller.confirm(move.backend(), limit)) {         // paid for: these grow
 *       controller.confirm(grow.backend(), stores.resize(grow.backend(), grow.toBytes()));
 *     }
 *   }
 *   for (Move grow : controller.grow()) {                    // into what was free before
 *     controller.confirm(grow.backend(), stores.resize(grow.backend(), grow.toBytes()));
 *   }
 * }
 * }</pre>
 *
 * <p>At every moment the limits and {@link #freeBytes} add up to the capacity, to the byte.
 */
public final class ShareController {
  /* Shrink first, confirm, then grow: the stores together never exceed the capacity. A share that has
   * not confirmed is asked again at the next tick, and nothing new is decided meanwhile (RobinHood
   * section 4.2 defers likewise). */

  /** The outcome of the last tick. */
  public enum Outcome {
    /** No tick yet, or its time had not come. */
    IDLE,
    /** The policy was asked and its answer is being followed. */
    DECIDED,
    /** Statistics are missing, stale or empty: shares stay. */
    FROZEN,
    /** A share has still not confirmed its last move. */
    DEFERRED
  }

  private final SharePolicy policy;
  private final ControllerSettings settings;
  private final ShareLedger ledger;
  private long lastTick;
  private boolean ticked;
  private Outcome outcome = Outcome.IDLE;

  /**
   * Starts with equal shares.
   *
   * @throws IllegalArgumentException if the floors together exceed the capacity or a name is twice
   */
  public ShareController(
      SharePolicy policy, ControllerSettings settings, long capacityBytes, List<String> backends) {
    this(policy, settings, capacityBytes, backends, 1);
  }

  /**
   * Starts with equal shares that are multiples of what the stores can be resized by.
   *
   * @param granularity bytes, at least 1; less than this of the capacity may stay free
   */
  public ShareController(
      SharePolicy policy,
      ControllerSettings settings,
      long capacityBytes,
      List<String> backends,
      long granularity) {
    this(policy, settings, capacityBytes, equal(capacityBytes, backends, granularity), granularity);
  }

  /**
   * Starts with given shares.
   *
   * @param initial bytes by backend, in the backends' order; their sum is the capacity
   */
  public ShareController(
      SharePolicy policy,
      ControllerSettings settings,
      long capacityBytes,
      Map<String, Long> initial) {
    this(policy, settings, capacityBytes, initial, 1);
  }

  private ShareController(
      SharePolicy policy,
      ControllerSettings settings,
      long capacityBytes,
      Map<String, Long> initial,
      long granularity) {
    this.policy = policy;
    this.settings = settings;
    this.ledger = new ShareLedger(capacityBytes, settings.pageBytes());
    ledger.granularity(granularity);
    initial.forEach((name, bytes) -> ledger.add(name, bytes, settings.floorBytes()));
    if (ledger.freeBytes() >= granularity && !initial.isEmpty()) {
      throw new IllegalArgumentException(
          "shares of " + (capacityBytes - ledger.freeBytes()) + " bytes in " + capacityBytes);
    }
  }

  private static Map<String, Long> equal(long capacity, List<String> backends, long granularity) {
    long units = capacity / granularity;
    double[] exact = new double[backends.size()];
    Arrays.fill(exact, units / (double) backends.size());
    long[] whole = Apportionment.round(exact, units, 0);
    Map<String, Long> shares = new LinkedHashMap<>();
    for (int b = 0; b < whole.length; b++) {
      if (shares.put(backends.get(b), whole[b] * granularity) != null) {
        throw new IllegalArgumentException("backend " + backends.get(b) + " stands twice");
      }
    }
    return shares;
  }

  /** Whether it is time for a {@link #tick}; a clock that jumped either way makes it so. */
  public boolean due(long nowNanos) {
    return !ticked || nowNanos - lastTick >= settings.intervalNanos() || nowNanos < lastTick;
  }

  /**
   * Decides.
   *
   * @param nowNanos on the host's clock; may jump
   * @param recent statistics of the last windows of all servers, or null if there are none
   * @param asOfNanos when they were received, on the same clock
   * @param cache this server's own
   * @return shares that must become smaller; each is answered by {@link #confirm}
   */
  public List<Move> tick(long nowNanos, WindowStatistics recent, long asOfNanos, LocalCache cache) {
    lastTick = nowNanos;
    ticked = true;
    List<Move> unconfirmed = ledger.pending();
    if (!unconfirmed.isEmpty()) {
      outcome = Outcome.DEFERRED;
      return unconfirmed;
    }
    boolean stale =
        recent == null
            || recent.requests() == 0
            || Math.abs(nowNanos - asOfNanos) > settings.staleNanos();
    outcome = stale ? Outcome.FROZEN : Outcome.DECIDED;
    List<Share> staying = ledger.staying();
    if (staying.isEmpty()) {
      return List.of();
    }
    double[] targets = limits(staying);
    if (!stale) {
      ShareView view = view(nowNanos, recent, staying, cache);
      targets = policy.targets(view);
      check(targets, view);
    }
    ledger.want(staying, targets);
    return ledger.pending();
  }

  /**
   * A store has a new limit.
   *
   * @param backend whose store
   * @param limitBytes its limit now; more than was asked for if it could shrink only in part, less
   *     if it could not grow
   * @return shares that may grow now, since others have made room
   */
  public List<Move> confirm(String backend, long limitBytes) {
    return ledger.confirm(ledger.share(backend), limitBytes);
  }

  /**
   * Shares that may grow into what is free now; {@link #confirm} returns them too. Ask after each
   * tick: space may be free although no share shrank, for example after {@link #remove}.
   */
  public List<Move> grow() {
    return ledger.grow();
  }

  /**
   * Adds a backend; it gets its floor at the next tick and more as the policy sees fit.
   *
   * @param floorBytes its own floor, if higher than the common one
   * @throws IllegalArgumentException if it is there already or the floors exceed the capacity
   */
  public void add(String backend, long floorBytes) {
    ledger.add(backend, 0, Math.max(floorBytes, settings.floorBytes()));
  }

  /**
   * Removes a backend.
   *
   * @return the moves that empty its store; once confirmed, the others share its space at their
   *     next tick
   */
  public List<Move> remove(String backend) {
    Share share = ledger.share(backend);
    ledger.leave(share);
    return share.limit() == 0 ? List.of() : List.of(new Move(backend, share.limit(), 0));
  }

  /**
   * Sets a backend's own floor, for example what a shared backend would get without sharing by
   * latency; holds from the next tick.
   */
  public void floor(String backend, long floorBytes) {
    ledger.floor(ledger.share(backend), Math.max(floorBytes, settings.floorBytes()));
  }

  /**
   * A store refuses to be resized: from now on its share stays as it is, and the others are divided
   * without it.
   */
  public void fix(String backend) {
    ledger.fix(ledger.share(backend));
  }

  /** Undoes {@link #fix}: from the next tick on the share is divided with the others again. */
  public void release(String backend) {
    ledger.release(ledger.share(backend));
  }

  /** From now on shares become multiples of this: what a store that was added can do. */
  public void granularity(long bytes) {
    ledger.granularity(bytes);
  }

  /** Backends with a share, in order. */
  public List<String> backends() {
    return ledger.names();
  }

  /** Bytes that a backend's store may hold. */
  public long limitBytes(String backend) {
    return ledger.share(backend).limit();
  }

  /** Bytes that no store may hold at this moment. */
  public long freeBytes() {
    return ledger.freeBytes();
  }

  /** Bytes of all stores together. */
  public long capacityBytes() {
    return ledger.capacityBytes();
  }

  /** The outcome of the last tick. */
  public Outcome outcome() {
    return outcome;
  }

  private ShareView view(long now, WindowStatistics recent, List<Share> staying, LocalCache cache) {
    List<String> names = staying.stream().map(share -> share.name).toList();
    List<MissCurve> curves = new ArrayList<>();
    for (String name : names) {
      curves.add(policy.wantsCurves() ? cache.missCurve(name) : null);
    }
    return new ShareView(
        now,
        recent.select(names),
        limits(staying),
        names.stream().mapToDouble(cache::usedBytes).toArray(),
        staying.stream().mapToDouble(Share::floor).toArray(),
        curves);
  }

  private static double[] limits(List<Share> staying) {
    return staying.stream().mapToDouble(Share::limit).toArray();
  }

  private static void check(double[] targets, ShareView view) {
    double sum = 0;
    double before = 0;
    for (int i = 0; i < targets.length; i++) {
      if (!(targets[i] >= 0) || Double.isInfinite(targets[i])) {
        throw new IllegalStateException("a share of " + targets[i] + " bytes");
      }
      sum += targets[i];
      before += view.allocated()[i];
    }
    if (Math.abs(sum - before) > 1 + 1e-6 * before) {
      throw new IllegalStateException("shares of " + sum + " bytes made of " + before);
    }
  }
}
