/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.shares.ShareLedger.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Controls the shares of one application server's cache: asks its {@link SharePolicy} for target
 * shares and turns them into moves that a real store can follow. Confined to one thread or its
 * owner's lock.
 *
 * <pre>{@code
 * if (controller.due(now)) {
 *   for (Move move : controller.tick(now, statistics, cache)) { // all of these shrink
 *     long limit = stores.resize(move.backend(), move.toBytes());
 *     for (Move grow : controller.confirm(move.backend(), limit)) { // paid for: these grow
 *       controller.confirm(grow.backend(), stores.resize(grow.backend(), grow.toBytes()));
 *     }
 *   }
 *   for (Move grow : controller.grow()) { // into the free space
 *     controller.confirm(grow.backend(), stores.resize(grow.backend(), grow.toBytes()));
 *   }
 * }
 * }</pre>
 *
 * <p>The limits and {@link #freeBytes} always add up to the capacity, to the byte.
 */
public final class ShareController {
  /* Shrink first, confirm, then grow: the stores together never exceed the capacity. An unconfirmed
   * move is returned again at the next tick, and no new decision is made meanwhile (RobinHood
   * section 4.2 defers likewise). */

  /** The outcome of the last tick. */
  public enum Outcome {
    /** No tick has run yet, or none was due. */
    IDLE,
    /** The policy has decided and its decision is being applied. */
    DECIDED,
    /** Statistics are missing, stale or empty: shares stay. */
    FROZEN,
    /** A share has still not confirmed its last move. */
    DEFERRED
  }

  private final SharePolicy policy;
  private final ControllerSettings settings;
  private final ShareLedger ledger;
  // By backend, at the last decision.
  private final Map<String, Long> withoutRoom = new HashMap<>();
  private long lastTick;
  private boolean ticked;
  private Outcome outcome = Outcome.IDLE;

  /**
   * Starts with equal shares.
   *
   * @throws IllegalArgumentException if the floors together exceed the capacity or a name is
   *     repeated
   */
  public ShareController(
      SharePolicy policy, ControllerSettings settings, long capacityBytes, List<String> backends) {
    this(policy, settings, capacityBytes, equal(capacityBytes, backends));
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
    this.policy = policy;
    this.settings = settings;
    this.ledger = new ShareLedger(capacityBytes, settings.pageBytes());
    initial.forEach((name, bytes) -> ledger.add(name, bytes, settings.floorBytes()));
    if (ledger.freeBytes() > 0 && !initial.isEmpty()) {
      throw new IllegalArgumentException(
          "shares of " + (capacityBytes - ledger.freeBytes()) + " bytes in " + capacityBytes);
    }
  }

  private static Map<String, Long> equal(long capacity, List<String> backends) {
    double[] exact = new double[backends.size()];
    Arrays.fill(exact, capacity / (double) backends.size());
    long[] whole = Apportionment.round(exact, capacity, 0);
    Map<String, Long> shares = new LinkedHashMap<>();
    for (int b = 0; b < whole.length; b++) {
      if (shares.put(backends.get(b), whole[b]) != null) {
        throw new IllegalArgumentException("backend " + backends.get(b) + " is listed twice");
      }
    }
    return shares;
  }

  /** Whether a {@link #tick} is due; a jump of the clock in either direction makes it due. */
  public boolean due(long nowNanos) {
    return !ticked || nowNanos - lastTick >= settings.intervalNanos() || nowNanos < lastTick;
  }

  /**
   * Decides by one window of statistics.
   *
   * @param recent of all servers; null if there is none
   * @param asOfNanos when it was received
   * @see #tick(long, DecisionStatistics, LocalCache)
   */
  public List<Move> tick(long nowNanos, WindowStatistics recent, long asOfNanos, LocalCache cache) {
    return tick(
        nowNanos, recent == null ? null : new DecisionStatistics(recent, recent, asOfNanos), cache);
  }

  /**
   * Decides.
   *
   * @param nowNanos on the host's clock, which is also that of the statistics; may jump
   * @param statistics of all servers; null if the shares should stay
   * @param cache this server's cache
   * @return shares that must shrink; answer each with {@link #confirm}
   */
  public List<Move> tick(long nowNanos, DecisionStatistics statistics, LocalCache cache) {
    lastTick = nowNanos;
    ticked = true;
    List<Move> unconfirmed = ledger.pending();
    if (!unconfirmed.isEmpty()) {
      outcome = Outcome.DEFERRED;
      return unconfirmed;
    }
    boolean stale =
        statistics == null
            || statistics.recent().requests() == 0
            || Math.abs(nowNanos - statistics.asOfNanos()) > settings.staleNanos();
    outcome = stale ? Outcome.FROZEN : Outcome.DECIDED;
    List<Share> staying = ledger.staying();
    if (staying.isEmpty()) {
      return List.of();
    }
    double[] targets = limits(staying);
    if (!stale) {
      ShareView view = view(nowNanos, statistics, staying, cache);
      targets = policy.targets(view);
      check(targets, view);
    }
    ledger.want(staying, targets);
    return ledger.pending();
  }

  /**
   * Makes all shares equal, as far as their floors permit, without a decision of the policy; fixed
   * shares stay. Replaces the targets of moves that are not confirmed.
   *
   * @return shares that must shrink; answer each with {@link #confirm}
   */
  public List<Move> equalize() {
    List<Share> staying = ledger.staying();
    if (!staying.isEmpty()) {
      ledger.wantEqual(staying);
    }
    return ledger.pending();
  }

  /**
   * Records that a store has a new limit.
   *
   * @param backend the store's backend
   * @param limitBytes its limit now; more than requested if it could shrink only in part, less if
   *     it could not grow
   * @return shares that may grow now that others have made room
   */
  public List<Move> confirm(String backend, long limitBytes) {
    return ledger.confirm(ledger.share(backend), limitBytes);
  }

  /**
   * Shares that may grow into the free space; {@link #confirm} returns them too. Call after each
   * tick: space may be free although no share shrank, for example after {@link #remove}.
   */
  public List<Move> grow() {
    return ledger.grow();
  }

  /**
   * Adds a backend; it gets its floor at the next tick and more by the policy's decisions.
   *
   * @param floorBytes its floor, if higher than the common one
   * @throws IllegalArgumentException if it exists already or the floors exceed the capacity
   */
  public void add(String backend, long floorBytes) {
    ledger.add(backend, 0, Math.max(floorBytes, settings.floorBytes()));
  }

  /**
   * Removes a backend.
   *
   * @return the moves that empty its store; its space goes to the others at the next tick after
   *     they are confirmed
   */
  public List<Move> remove(String backend) {
    Share share = ledger.share(backend);
    withoutRoom.remove(backend);
    ledger.leave(share);
    return share.limit() == 0 ? List.of() : List.of(new Move(backend, share.limit(), 0));
  }

  /**
   * Sets a backend's floor from the next tick on, for example the share that a shared backend would
   * get without sharing by latency.
   */
  public void floor(String backend, long floorBytes) {
    ledger.floor(ledger.share(backend), Math.max(floorBytes, settings.floorBytes()));
  }

  /**
   * Fixes the share of a store that cannot be resized; the rest of the capacity is divided among
   * the others.
   *
   * @param limitBytes the size that the store has. If it is larger than the share was, the others
   *     shrink from the next tick on, but not below their floors
   */
  public void fix(String backend, long limitBytes) {
    ledger.fix(ledger.share(backend), limitBytes);
  }

  /** Undoes {@link #fix} from the next tick on. */
  public void release(String backend) {
    ledger.release(ledger.share(backend));
  }

  /** Makes future shares multiples of the given number, for a store that was added. */
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

  /**
   * Bytes not assigned to any store at the moment; negative while others must make room for a share
   * that was fixed.
   */
  public long freeBytes() {
    return ledger.freeBytes();
  }

  /** Floors of all shares together: bytes that are never moved. */
  public long floorBytes() {
    return ledger.floorBytes();
  }

  /** Bytes of all stores together. */
  public long capacityBytes() {
    return ledger.capacityBytes();
  }

  /** Whether every shrinking move has been confirmed; otherwise no new decision is made. */
  public boolean settled() {
    return ledger.pending().isEmpty();
  }

  /** The outcome of the last tick. */
  public Outcome outcome() {
    return outcome;
  }

  private ShareView view(
      long now, DecisionStatistics statistics, List<Share> staying, LocalCache cache) {
    List<String> names = staying.stream().map(share -> share.name).toList();
    List<MissCurve> curves = new ArrayList<>();
    for (String name : names) {
      curves.add(policy.wantsCurves() ? cache.missCurve(name) : null);
    }
    return new ShareView(
        now,
        statistics.recent().select(names),
        statistics.latest().select(names),
        limits(staying),
        staying.stream().mapToDouble(share -> used(share, cache)).toArray(),
        staying.stream().mapToDouble(Share::floor).toArray(),
        curves);
  }

  /** The bytes in use; the whole share if values had no room since the last decision. */
  private double used(Share share, LocalCache cache) {
    long now = cache.withoutRoom(share.name);
    Long before = withoutRoom.put(share.name, now);
    // A server may have counted for years before the first decision.
    return before != null && now > before ? share.limit() : cache.usedBytes(share.name);
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
