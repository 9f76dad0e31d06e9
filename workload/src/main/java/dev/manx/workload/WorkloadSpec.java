/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.util.List;

/**
 * All properties of a workload except its rate and seed.
 *
 * @param keys number of keys
 * @param sizes size classes of their values, shares summing to 1
 * @param largeFromBytes values of at least this size are large
 * @param dataSeed determines the large and the popular keys; part of the data, not of a run
 * @param popularity distribution of requests over keys
 * @param fanout number of keys per request; its maximum is at most half of all keys
 * @param arrivals distribution of starts
 * @param narrowMaxReads the widest request of class {@code narrow}
 */
public record WorkloadSpec(
    int keys,
    List<SizeClass> sizes,
    int largeFromBytes,
    long dataSeed,
    Popularity popularity,
    Fanout fanout,
    Arrivals arrivals,
    int narrowMaxReads) {
  /** The default of {@link #narrowMaxReads}. */
  public static final int NARROW_MAX_READS = 10;

  /** Copies the list and checks constraints between settings. */
  public WorkloadSpec {
    sizes = List.copyOf(sizes);
    SettingCheck.that(
        fanout.maxReads() == 1 || fanout.maxReads() <= keys / 2,
        "a request may have %d distinct keys; then at least %d keys are needed, not %d",
        fanout.maxReads(),
        2 * fanout.maxReads(),
        keys);
    if (fanout instanceof Fanout.Mix mix && mix.bySize()) {
      checkSizes(mix, new KeySpace(keys, sizes, largeFromBytes, dataSeed));
    }
    SettingCheck.that(
        narrowMaxReads >= 1,
        "the limit of narrow must be at least 1 read, but is %d",
        narrowMaxReads);
  }

  private static void checkSizes(Fanout.Mix mix, KeySpace space) {
    int large = space.largeKeys();
    for (RequestShape kind : mix.kinds()) {
      if (kind.hasOwnSizes()) {
        checkSize(kind, true, large);
        checkSize(kind, false, space.keys() - large);
      }
    }
  }

  private static void checkSize(RequestShape kind, boolean large, int present) {
    SettingCheck.that(
        !kind.mayRead(large) || present >= 2 * kind.reads(),
        "a request may have %d distinct keys with %s values; then at least %d of these are needed,"
            + " not %d",
        kind.reads(),
        large ? "large" : "small",
        2 * kind.reads(),
        present);
  }

  /** The key space. */
  public KeySpace keySpace() {
    return new KeySpace(keys, sizes, largeFromBytes, dataSeed);
  }

  /** The mean number of reads of a request, from the distribution itself. */
  public double meanReadsPerRequest() {
    return WidthTable.of(fanout).mean();
  }
}
