/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * A prepared workload: its key space and its tables, computed once and shared by all streams.
 * Immutable; any thread.
 */
public final class Workload {
  private static final int SAMPLED_READS = 200_000;
  private static final long SAMPLE_SALT = 0x5a17;

  private final WorkloadSpec spec;
  private final KeySpace keySpace;
  private final double[] widths;
  private final double meanReads;
  private final int[] idOfRank;
  private final int[] largeIds;
  private final int[] smallIds;
  private final double meanBytesPerRead;
  private final double largeReadShare;

  /** Builds the tables: 4 bytes a key, and a deterministic sample of requests for means. */
  public Workload(WorkloadSpec spec) {
    this.spec = spec;
    keySpace = spec.keySpace();
    WidthTable table = WidthTable.of(spec.fanout());
    widths = table.probabilities();
    meanReads = table.mean();
    idOfRank = permutation(spec.keys(), spec.dataSeed());
    boolean bySize = spec.fanout() instanceof Fanout.Mix mix && mix.bySize();
    largeIds = bySize ? Arrays.stream(idOfRank).filter(keySpace::large).toArray() : new int[0];
    smallIds =
        bySize ? Arrays.stream(idOfRank).filter(id -> !keySpace.large(id)).toArray() : new int[0];
    long bytes = 0;
    long reads = 0;
    long large = 0;
    RequestStream sample = stream(1, Hashes.of(spec.dataSeed(), SAMPLE_SALT));
    while (reads < SAMPLED_READS) {
      PlannedRequest request = sample.next();
      for (int read = 0; read < request.reads(); read++) {
        bytes += keySpace.valueBytes(request.keyId(read));
        large += keySpace.large(request.keyId(read)) ? 1 : 0;
      }
      reads += request.reads();
    }
    meanBytesPerRead = bytes / (double) reads;
    largeReadShare = large / (double) reads;
  }

  /** The specification of this workload. */
  public WorkloadSpec spec() {
    return spec;
  }

  /** The key space. */
  public KeySpace keySpace() {
    return keySpace;
  }

  /** A new stream of requests at a mean rate; the same rate and seed give the same stream. */
  public RequestStream stream(double requestsPerSecond, long seed) {
    return new RequestStream(this, requestsPerSecond, seed);
  }

  /** Mean reads of a request, from the distribution itself. */
  public double meanReadsPerRequest() {
    return meanReads;
  }

  /**
   * Mean bytes of a value read, over some 200,000 reads of a fixed seed. A formula is not possible:
   * the data seed determines which popular keys are large, and keys are distinct inside a request.
   */
  public double meanBytesPerRead() {
    return meanBytesPerRead;
  }

  /** Share of reads whose value is large, over the same sample. */
  public double largeReadShare() {
    return largeReadShare;
  }

  /** The key id at a popularity rank; 0 is the hottest. */
  public int idOfRank(int rank) {
    return idOfRank[rank];
  }

  double[] widths() {
    return widths;
  }

  /** The ids of all keys, the hottest first. Not to be changed. */
  int[] ids() {
    return idOfRank;
  }

  /**
   * The ids of the keys with large or small values, the hottest first; empty if no kind of request
   * determines the sizes of its values. Not to be changed.
   */
  int[] ids(boolean large) {
    return large ? largeIds : smallIds;
  }

  /** Fisher and Yates's shuffle of 0..n-1. */
  private static int[] permutation(int n, long seed) {
    UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(Hashes.of(seed, n));
    int[] ids = new int[n];
    for (int i = 0; i < n; i++) {
      int j = random.nextInt(i + 1);
      ids[i] = ids[j];
      ids[j] = i;
    }
    return ids;
  }
}
