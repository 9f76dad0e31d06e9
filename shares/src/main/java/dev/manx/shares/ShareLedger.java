/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The current limit and the target of each backend; limits and free bytes always add up to the
 * capacity. Confined like its controller.
 */
final class ShareLedger {
  /* Rounding to pages is by largest remainder; the published code gives the remainder to the first
   * backend, which favours it. Amounts lost to rounding are carried over to a later tick; otherwise
   * shares smaller than 100 pages would never be taxed by 1 %. */

  /** The state of one backend. */
  static final class Share {
    final String name;
    private long floor;
    private long limit;
    private long wanted;
    private double owed;
    private boolean leaving;
    private boolean fixed;
    // Of a fixed store.
    private long ownBytes;
    private boolean pending;

    private Share(String name, long limit, long floor) {
      this.name = name;
      this.floor = floor;
      this.limit = limit;
      this.wanted = limit;
    }

    long floor() {
      return floor;
    }

    long limit() {
      return limit;
    }
  }

  private final long capacityBytes;
  private long pageBytes;
  private long granularity = 1;
  private final Map<String, Share> shares = new LinkedHashMap<>();
  private long freeBytes;
  private int turn;

  ShareLedger(long capacityBytes, long pageBytes) {
    this.capacityBytes = capacityBytes;
    this.pageBytes = pageBytes;
    this.freeBytes = capacityBytes;
  }

  /**
   * Adds a backend whose limit must fit into the free space.
   *
   * @throws IllegalArgumentException if it exists, or floors or limits exceed the capacity
   */
  void add(String name, long limit, long floor) {
    if (shares.containsKey(name)) {
      throw new IllegalArgumentException("backend " + name + " exists already");
    }
    // Others may still have to make room for a fixed share.
    if (limit > Math.max(0, freeBytes)) {
      throw new IllegalArgumentException(
          "a share of " + limit + " bytes where " + freeBytes + " are free");
    }
    checkFloors(multiple(floor));
    shares.put(name, new Share(name, limit, multiple(floor)));
    freeBytes -= limit;
  }

  /**
   * Makes future shares, floors and pages multiples of the given number: the stores would round
   * other values, and the difference would be moved again at every tick.
   */
  void granularity(long bytes) {
    long before = granularity;
    granularity = Math.max(granularity, bytes);
    try {
      checkFloors(
          shares.values().stream().mapToLong(share -> multiple(share.floor) - share.floor).sum());
    } catch (IllegalArgumentException e) {
      granularity = before;
      throw e;
    }
    pageBytes = multiple(pageBytes);
    shares.values().forEach(share -> share.floor = multiple(share.floor));
  }

  private long multiple(long bytes) {
    return (bytes + granularity - 1) / granularity * granularity;
  }

  /** Changes a floor, under the conditions of {@link #add}. */
  void floor(Share share, long floor) {
    checkFloors(multiple(floor) - share.floor);
    share.floor = multiple(floor);
  }

  private void checkFloors(long more) {
    long floors = more + floorBytes();
    if (floors > capacityBytes) {
      throw new IllegalArgumentException(
          "floors of "
              + Units.bytes(floors)
              + " in all, in a cache of "
              + Units.bytes(capacityBytes));
    }
  }

  /** The floors of all shares together. */
  long floorBytes() {
    return shares.values().stream().mapToLong(share -> share.floor).sum();
  }

  Share share(String backend) {
    Share share = shares.get(backend);
    if (share == null) {
      throw new IllegalArgumentException("no backend " + backend + " among " + shares.keySet());
    }
    return share;
  }

  /** Sets a backend's target to zero and removes the backend once its limit is zero. */
  void leave(Share share) {
    share.leaving = true;
    share.wanted = 0;
    share.pending = share.limit > 0;
    if (!share.pending) {
      shares.remove(share.name);
    }
  }

  /**
   * Keeps a share at the given limit, or at less if the others would not keep their floors, and
   * excludes it from the division.
   */
  void fix(Share share, long limitBytes) {
    long others = 0;
    for (Share other : shares.values()) {
      others += other == share ? 0 : other.fixed || other.leaving ? other.limit : other.floor;
    }
    long limit = Math.max(0, Math.min(limitBytes, capacityBytes - others));
    freeBytes += share.limit - limit;
    share.limit = limit;
    share.fixed = true;
    share.ownBytes = limitBytes;
    share.pending = share.leaving;
    share.wanted = share.leaving ? 0 : share.limit;
    share.owed = 0;
  }

  /**
   * Restores the floors of shares that came later than a store that is larger than its share: its
   * limit is less than it has anyway.
   */
  private void leaveFloors(List<Share> staying) {
    long missing = -freeBytes;
    for (Share share : staying) {
      missing += share.floor - share.limit;
    }
    for (Share share : shares.values()) {
      boolean pays = share.fixed && !share.leaving && share.ownBytes > share.limit;
      long bytes = pays ? Math.min(missing, share.limit - share.floor) : 0;
      if (bytes > 0) {
        share.limit -= bytes;
        share.wanted = share.limit;
        freeBytes += bytes;
        missing -= bytes;
      }
    }
  }

  /** Includes a share in the division again. */
  void release(Share share) {
    share.fixed = false;
  }

  /** Shares to divide, without removed and fixed ones, in order. */
  List<Share> staying() {
    return shares.values().stream().filter(share -> !share.leaving && !share.fixed).toList();
  }

  List<String> names() {
    return List.copyOf(shares.keySet());
  }

  long freeBytes() {
    return freeBytes;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  /** Shrinking moves that have not been confirmed. */
  List<Move> pending() {
    return shares.values().stream()
        .filter(share -> share.pending)
        .map(share -> new Move(share.name, share.limit, share.wanted))
        .toList();
  }

  /**
   * Sets the targets, scaled to fill the capacity, raised to the floors and rounded.
   *
   * @param targets bytes of the shares to divide, in their order; modified
   */
  void want(List<Share> staying, double[] targets) {
    want(staying, targets, pageBytes);
  }

  /** Makes the targets equal, as far as the floors permit. */
  void wantEqual(List<Share> staying) {
    double[] targets = new double[staying.size()];
    double now = staying.stream().mapToLong(share -> share.limit).sum();
    Arrays.fill(targets, now / targets.length);
    // Equal to the smallest step, whatever earlier decisions have owed.
    staying.forEach(share -> share.owed = 0);
    want(staying, targets, granularity);
  }

  private void want(List<Share> staying, double[] targets, long page) {
    leaveFloors(staying);
    int n = targets.length;
    double now = 0;
    double owedInAll = 0;
    for (Share share : staying) {
      now += share.limit;
      owedInAll += share.owed;
    }
    // Never negative, because fixed shares leave space for the floors.
    double all = now + freeBytes;
    double[] floors = floors(staying, all);
    for (int i = 0; i < n; i++) {
      targets[i] = now > 0 ? targets[i] * (all / now) : all / n;
    }
    Apportionment.lift(targets, floors);
    double[] pages = new double[n];
    int most = 0;
    for (int i = 0; i < n; i++) {
      Share share = staying.get(i);
      pages[i] = (targets[i] - share.limit + share.owed - owedInAll / n) / page;
      most = pages[i] > pages[most] ? i : most;
    }
    // The free space may not be a multiple of the page; the remainder goes to the largest demand.
    long wholePages = Math.floorDiv(freeBytes, page);
    long crumbs = freeBytes - wholePages * page;
    crumbs -= crumbs % granularity;
    turn = (turn + 1) % n;
    long[] moved = Apportionment.round(pages, wholePages, turn);
    for (int i = 0; i < n; i++) {
      Share share = staying.get(i);
      long bytes = moved[i] * page + (i == most ? crumbs : 0);
      share.wanted = share.limit + bytes;
      share.wanted -= share.wanted % granularity;
      double owed = pages[i] * page - bytes;
      share.owed = Math.max(-page, Math.min(page, owed));
    }
    keepFloors(staying, floors);
    for (Share share : staying) {
      share.pending = share.wanted < share.limit;
    }
  }

  /** The floors; in proportion less if a share that cannot be resized leaves too little space. */
  private double[] floors(List<Share> staying, double all) {
    long sum = staying.stream().mapToLong(share -> share.floor).sum();
    double part = sum > all ? all / sum : 1;
    return staying.stream()
        .mapToDouble(share -> Math.floor(part * share.floor / granularity) * granularity)
        .toArray();
  }

  /** Rounding may leave a share a page below its floor; the share furthest above its floor pays. */
  private static void keepFloors(List<Share> staying, double[] floors) {
    for (int i = 0; i < floors.length; i++) {
      Share share = staying.get(i);
      long missing = (long) floors[i] - share.wanted;
      while (missing > 0) {
        int rich = 0;
        for (int j = 1; j < floors.length; j++) {
          boolean more = above(staying, floors, j) > above(staying, floors, rich);
          rich = more ? j : rich;
        }
        long paid = Math.min(missing, above(staying, floors, rich));
        if (paid <= 0) {
          break;
        }
        staying.get(rich).wanted -= paid;
        share.wanted += paid;
        share.owed = 0;
        missing -= paid;
      }
    }
  }

  private static long above(List<Share> staying, double[] floors, int i) {
    return staying.get(i).wanted - (long) floors[i];
  }

  /** Records a store's limit; see {@link ShareController#confirm}. */
  List<Move> confirm(Share share, long limitBytes) {
    if (limitBytes < 0 || limitBytes > share.limit) {
      throw new IllegalArgumentException(
          share.name + " may hold " + share.limit + " bytes, not " + limitBytes);
    }
    freeBytes += share.limit - limitBytes;
    share.limit = limitBytes;
    if (!share.pending || limitBytes <= share.wanted) {
      share.pending = false;
      // If a store cannot take its target, the difference is free for the next tick.
      share.wanted = limitBytes;
    }
    if (share.leaving && share.limit == 0) {
      shares.remove(share.name);
    }
    return grow();
  }

  /**
   * Moves that let shares grow towards their targets, the largest first. They take effect in the
   * ledger at once.
   */
  List<Move> grow() {
    List<Share> growing =
        shares.values().stream()
            .filter(share -> share.wanted > share.limit)
            .sorted(Comparator.comparingLong((Share share) -> share.limit - share.wanted))
            .toList();
    List<Move> moves = new ArrayList<>();
    for (Share share : growing) {
      long bytes = share.wanted - share.limit;
      if (bytes <= freeBytes) {
        moves.add(new Move(share.name, share.limit, share.wanted));
        freeBytes -= bytes;
        share.limit = share.wanted;
      }
    }
    return moves;
  }
}
