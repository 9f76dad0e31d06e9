/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.SplitMix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Estimates a backend's {@link MissCurve} from a sample of its keys: spatially hashed, of bounded
 * size (SHARDS, Waldspurger et al., FAST'15), by bytes. It depends on queries only, so it also
 * estimates larger and smaller shares. About 150 bytes a sampled key, in addition to the key itself
 * if there is one. Confined to one thread or its owner's lock.
 */
public final class ShadowSampler {
  /* A key is in the sample if its hash is below a threshold that falls when there are too many. The
   * reuse distance of a sampled query, in bytes of other sampled keys since the key's last query,
   * divided by the sampling rate estimates that of the whole stream: an LRU of that many bytes
   * would have hit. A Fenwick tree over the order of last queries gives the distance in O(log n).
   * As in SHARDS-adj, the difference between expected and sampled queries counts as hits of the
   * shortest distance: its cause is hot keys that are in or out of the sample by chance.
   *
   * Deviations: distances are in bytes. A key leaves the sample when keys used since fill the space
   * that the curve covers: its next query would miss everywhere, as that of a new key does. Else
   * keys that are never queried again would fill the sample, and fewer and fewer others would be
   * drawn. So that the curve follows a changing workload, a count fades with an hour's time
   * constant, but not to fewer sampled queries than a curve needs. An owner that never passes a time
   * has its counts halved when there are many. */
  private static final int MAX_KEYS = 4_096;
  private static final int PER_OCTAVE = 8;
  private static final int OCTAVES = 12;
  private static final int BINS = PER_OCTAVE * OCTAVES;
  private static final double HALVE_AFTER = 400_000;
  private static final double FADE_NANOS = 3_600e9;
  private static final double LEAST_SAMPLED = 2_000;

  private static final class Place {
    private final long hash;
    // Null if the hash alone identifies the key.
    private final Object key;
    // Another key with this hash.
    private Place sameHash;
    private int bytes;
    private int at;

    private Place(long hash, Object key) {
      this.hash = hash;
      this.key = key;
    }
  }

  private final double capacityBytes;
  private final double fadeNanos;
  private final TreeMap<Long, Place> byHash = new TreeMap<>(Long::compareUnsigned);
  private final Place[] order = new Place[2 * MAX_KEYS];
  private final double[] tree = new double[2 * MAX_KEYS + 1];
  private final double[] hits = new double[BINS];
  private int keys;
  // In the order of last queries: none is before the oldest, none at the next or after it.
  private int oldest;
  private int next;
  private double rate = 1;
  private long threshold = -1L;
  private double expected;
  private double sampled;
  private long fadedNanos;
  private boolean fades;

  /**
   * Starts without queries.
   *
   * @param capacityBytes largest space that the curve covers
   */
  public ShadowSampler(double capacityBytes) {
    this(capacityBytes, 1);
  }

  /**
   * Starts without queries, in a run whose time is compressed.
   *
   * @param timeScale 0.1 if an hour takes six minutes; older queries fade as much sooner
   */
  public ShadowSampler(double capacityBytes, double timeScale) {
    this.capacityBytes = capacityBytes;
    this.fadeNanos = FADE_NANOS * timeScale;
  }

  /**
   * Records a query, whether hit or miss.
   *
   * @param key any number that identifies the key
   * @param bytes of its value
   */
  public void query(long key, int bytes) {
    query(key, null, bytes);
  }

  /**
   * Records a query, whether hit or miss, of a key that is not identified by its hash code.
   *
   * @param hashCode of the key
   * @param key the key, which is kept while it is in the sample; null: its hash code identifies it
   * @param bytes of its value
   */
  public void query(long hashCode, Object key, int bytes) {
    if (!isSampled(hashCode, threshold)) {
      expect(rate);
      return;
    }
    // First, because the key's equals may fail.
    Place place = find(hash(hashCode), key);
    expect(rate);
    sampled++;
    if (place == null) {
      place = enter(hash(hashCode), key);
    } else {
      leave(place, bytes);
    }
    use(place, bytes);
    keepAtMost(MAX_KEYS);
  }

  /**
   * Records a query of a key in the sample, with the size of its last query.
   *
   * @return whether the key is in the sample; else nothing is recorded
   */
  public boolean again(long hashCode, Object key) {
    Place place = find(hash(hashCode), key);
    if (place == null) {
      return false;
    }
    expect(rate);
    sampled++;
    leave(place, place.bytes);
    use(place, place.bytes);
    return true;
  }

  /**
   * Records a value that is stored without a query. A key keeps its place among the last queries; a
   * new one is as if queried now, but does not count: its first query would find it.
   *
   * @param bytes of the value
   */
  public void stored(long hashCode, Object key, int bytes) {
    if (!isSampled(hashCode, threshold)) {
      return;
    }
    Place place = find(hash(hashCode), key);
    if (place != null) {
      add(place.at, bytes - place.bytes);
      place.bytes = bytes;
    } else {
      use(enter(hash(hashCode), key), bytes);
      keepAtMost(MAX_KEYS);
    }
  }

  private Place find(long hash, Object key) {
    Place place = byHash.get(hash);
    while (place != null && !Objects.equals(place.key, key)) {
      place = place.sameHash;
    }
    return place;
  }

  private Place enter(long hash, Object key) {
    Place place = new Place(hash, key);
    place.sameHash = byHash.put(hash, place);
    keys++;
    return place;
  }

  private void leave(Place place, int bytes) {
    count((total() - prefix(place.at) + bytes) / rate);
    add(place.at, -place.bytes);
    order[place.at] = null;
  }

  private void use(Place place, int bytes) {
    if (next == order.length) {
      compact();
    }
    place.bytes = bytes;
    place.at = next;
    order[next] = place;
    add(next++, bytes);
    dropOldest();
  }

  /** Drops keys whose next query would miss in every space that the curve covers. */
  private void dropOldest() {
    while (true) {
      while (order[oldest] == null) {
        oldest++;
      }
      Place place = order[oldest];
      boolean isBeyond = (total() - place.bytes) / rate > capacityBytes;
      if (!isBeyond) {
        return;
      }
      remove(place);
      byHash.compute(place.hash, (hash, first) -> without(first, place));
    }
  }

  private static Place without(Place first, Place place) {
    if (first == place) {
      return place.sameHash;
    }
    Place before = first;
    while (before.sameHash != place) {
      before = before.sameHash;
    }
    before.sameHash = place.sameHash;
    return first;
  }

  private void remove(Place place) {
    add(place.at, -place.bytes);
    order[place.at] = null;
    keys--;
  }

  /**
   * Counts queries not passed to {@link #query}: threads that call {@link #isSampled} first can
   * report skipped queries in batches.
   *
   * @param skipped queries of keys that are not in the sample
   * @param lost queries of keys that are in the sample
   */
  public void unseen(long skipped, long lost) {
    expect(rate * (skipped + lost) - lost);
  }

  private void expect(double queries) {
    expected += queries;
    while (expected > HALVE_AFTER) {
      scale(0.5);
    }
  }

  /** Whether a key is in the sample for a given {@link #threshold}. */
  public static boolean isSampled(long key, long threshold) {
    return Long.compareUnsigned(hash(key), threshold) <= 0;
  }

  private static long hash(long key) {
    return SplitMix.mix(key + 0x9E3779B97F4A7C15L);
  }

  /** The argument for {@link #isSampled}; never rises. */
  public long threshold() {
    return threshold;
  }

  /** Keys in the sample. */
  public int keys() {
    return keys;
  }

  /** Shrinks the sample to at most this number of keys; removed keys do not return. */
  public void keepAtMost(int most) {
    while (keys > most) {
      lowerThreshold();
    }
  }

  private void scale(double by) {
    expected *= by;
    sampled *= by;
    Arrays.setAll(hits, bin -> hits[bin] * by);
  }

  private void count(double distance) {
    double octavesBelow = Math.log(capacityBytes / distance) / Math.log(2);
    int bin = BINS - 1 - (int) Math.floor(octavesBelow * PER_OCTAVE);
    if (bin < BINS) {
      hits[Math.max(0, bin)]++;
    }
  }

  private void lowerThreshold() {
    Map.Entry<Long, Place> highest = byHash.pollLastEntry();
    for (Place place = highest.getValue(); place != null; place = place.sameHash) {
      remove(place);
    }
    threshold = highest.getKey() - 1;
    double lower = (threshold >>> 11) * 0x1p-53;
    double less = lower / rate;
    rate = lower;
    scale(less);
  }

  private void compact() {
    Place[] kept = Arrays.stream(order).filter(place -> place != null).toArray(Place[]::new);
    Arrays.fill(order, null);
    Arrays.fill(tree, 0);
    oldest = 0;
    next = 0;
    for (Place place : kept) {
      place.at = next;
      order[next] = place;
      add(next++, place.bytes);
    }
  }

  private void add(int at, double bytes) {
    for (int i = at + 1; i < tree.length; i += i & -i) {
      tree[i] += bytes;
    }
  }

  private double prefix(int at) {
    double sum = 0;
    for (int i = at + 1; i > 0; i -= i & -i) {
      sum += tree[i];
    }
    return sum;
  }

  private double total() {
    return prefix(order.length - 1);
  }

  /**
   * The current curve; null before any query. Older queries count less.
   *
   * @param nowNanos of the owner's clock, always the same one
   */
  public MissCurve curve(long nowNanos) {
    double elapsed = fades ? Math.max(0, nowNanos - fadedNanos) : 0;
    fadedNanos = nowNanos;
    fades = true;
    if (sampled > LEAST_SAMPLED) {
      scale(Math.max(LEAST_SAMPLED / sampled, Math.exp(-elapsed / fadeNanos)));
    }
    return curve();
  }

  /** The current curve, without fading; null before any query. */
  public MissCurve curve() {
    double all = Math.max(expected, sampled);
    if (all <= 0) {
      return null;
    }
    List<Double> bytes = new ArrayList<>(List.of(0.0));
    List<Double> ratios = new ArrayList<>(List.of(1.0));
    double seen = Math.max(0, expected - sampled);
    for (int bin = 0; bin < BINS; bin++) {
      seen += hits[bin];
      bytes.add(capacityBytes * Math.pow(2, (bin + 1 - BINS) / (double) PER_OCTAVE));
      ratios.add(Math.max(0, 1 - seen / all));
    }
    return new MissCurve(
        bytes.stream().mapToDouble(b -> b).toArray(),
        ratios.stream().mapToDouble(r -> r).toArray(),
        keys == 0 ? 1 : Math.max(1, total() / keys),
        Math.max(1, sampled));
  }
}
