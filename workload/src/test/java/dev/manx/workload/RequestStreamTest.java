/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class RequestStreamTest {
  private static final int KEYS = 2000;
  private static final Fanout SOUNDCLOUD = new Fanout.Zeta(0.6, 8.6, 100);
  private static final Popularity ZIPF = new Popularity.Zipf(0.99);

  @Test
  void sameSeedSameRequests() {
    Workload workload = workload(ZIPF, SOUNDCLOUD, Arrivals.POISSON);
    RequestStream one = workload.stream(500, 3);
    RequestStream two = workload(ZIPF, SOUNDCLOUD, Arrivals.POISSON).stream(500, 3);
    RequestStream other = workload.stream(500, 4);
    int same = 0;
    for (int i = 0; i < 2000; i++) {
      String request = one.next().toString();
      assertThat(two.next()).hasToString(request);
      same += other.next().toString().equals(request) ? 1 : 0;
    }
    assertThat(same).isZero();
  }

  @Test
  void anotherRateAsksForTheSameKeys() {
    Workload workload = workload(ZIPF, SOUNDCLOUD, Arrivals.POISSON);
    RequestStream slow = workload.stream(100, 3);
    RequestStream fast = workload.stream(400, 3);
    for (int i = 0; i < 1000; i++) {
      PlannedRequest a = slow.next();
      PlannedRequest b = fast.next();
      assertThat(b.keyIds()).isEqualTo(a.keyIds());
      assertThat(b.intendedNanos()).isCloseTo(a.intendedNanos() / 4, within(1L));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void widthsMeetTheirMeanAndKeysAreDistinct(long seed) {
    Workload workload = workload(ZIPF, SOUNDCLOUD, Arrivals.POISSON);
    RequestStream stream = workload.stream(500, seed);
    int requests = 50_000;
    double sum = 0;
    double squares = 0;
    int singles = 0;
    for (int i = 0; i < requests; i++) {
      PlannedRequest request = stream.next();
      assertThat(request.sequence()).isEqualTo(i);
      assertThat(Arrays.stream(request.keyIds()).distinct().count()).isEqualTo(request.reads());
      assertThat(request.large())
          .isEqualTo(Arrays.stream(request.keyIds()).anyMatch(workload.keySpace()::large));
      sum += request.reads();
      squares += (double) request.reads() * request.reads();
      singles += request.reads() == 1 ? 1 : 0;
    }
    double mean = sum / requests;
    double error = Math.sqrt((squares / requests - mean * mean) / requests);
    assertThat(mean).as("seed %d", seed).isCloseTo(8.6, within(5 * error));
    assertThat(singles / (double) requests)
        .as("seed %d", seed)
        .isCloseTo(0.6, within(5 * Math.sqrt(0.24 / requests)));
    assertThat(workload.meanReadsPerRequest()).isCloseTo(8.6, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void zipfIsExactOverAllKeys(long seed) {
    Workload workload = workload(ZIPF, new Fanout.Fixed(1), Arrivals.FIXED);
    RequestStream stream = workload.stream(500, seed);
    int[] counts = new int[KEYS];
    int requests = 200_000;
    for (int i = 0; i < requests; i++) {
      counts[stream.next().keyId(0)]++;
    }
    double harmonic = 0;
    for (int rank = 1; rank <= KEYS; rank++) {
      harmonic += Math.pow(rank, -0.99);
    }
    for (int rank : new int[] {1, 2, 3, 10, 100}) {
      double p = Math.pow(rank, -0.99) / harmonic;
      assertThat(counts[workload.idOfRank(rank - 1)] / (double) requests)
          .as("seed %d rank %d", seed, rank)
          .isCloseTo(p, within(5 * Math.sqrt(p * (1 - p) / requests)));
    }
  }

  @Test
  void ranksAreAPermutationThatScattersHotKeys() {
    Workload workload = workload(ZIPF, SOUNDCLOUD, Arrivals.POISSON);
    boolean[] seen = new boolean[KEYS];
    double hot = 0;
    for (int rank = 0; rank < KEYS; rank++) {
      assertThat(seen[workload.idOfRank(rank)]).isFalse();
      seen[workload.idOfRank(rank)] = true;
      hot += rank < 200 ? workload.idOfRank(rank) : 0;
    }
    double sigma = KEYS / Math.sqrt(12 * 200);
    assertThat(hot / 200).isCloseTo(KEYS / 2.0, within(5 * sigma));
  }

  @Test
  void uniformTreatsKeysAlike() {
    RequestStream stream =
        workload(new Popularity.Uniform(), new Fanout.Fixed(1), Arrivals.FIXED).stream(500, 1);
    int[] counts = new int[KEYS];
    for (int i = 0; i < 100 * KEYS; i++) {
      counts[stream.next().keyId(0)]++;
    }
    assertThat(Arrays.stream(counts).min().orElseThrow()).isGreaterThan(100 - 60);
    assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThan(100 + 60);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void poissonGapsAreExponential(long seed) {
    RequestStream stream = workload(ZIPF, new Fanout.Fixed(1), Arrivals.POISSON).stream(1000, seed);
    int requests = 50_000;
    long last = 0;
    double squares = 0;
    int longGaps = 0;
    for (int i = 0; i < requests; i++) {
      long now = stream.next().intendedNanos();
      double gapMillis = (now - last) / 1e6;
      squares += gapMillis * gapMillis;
      longGaps += gapMillis > 2 ? 1 : 0;
      last = now;
    }
    double sigma = 1 / Math.sqrt(requests);
    assertThat(last / 1e6 / requests).as("seed %d mean", seed).isCloseTo(1, within(5 * sigma));
    assertThat(squares / requests)
        .as("seed %d second moment", seed)
        .isCloseTo(2, within(5 * Math.sqrt(20) * sigma));
    assertThat(longGaps / (double) requests)
        .as("seed %d share of gaps above twice the mean", seed)
        .isCloseTo(Math.exp(-2), within(5 * Math.sqrt(0.117) * sigma));
  }

  @Test
  void fixedGapsAreEqual() {
    RequestStream stream = workload(ZIPF, SOUNDCLOUD, Arrivals.FIXED).stream(250, 1);
    for (int i = 0; i < 1000; i++) {
      assertThat(stream.next().intendedNanos()).isEqualTo(i * 4_000_000L);
    }
  }

  @Test
  void halfOfAllKeysCanBeAskedForAtOnce() {
    Workload workload =
        workload(new Popularity.Zipf(3), new Fanout.Fixed(KEYS / 2), Arrivals.FIXED);
    int[] ids = workload.stream(1, 1).next().keyIds();
    assertThat(Arrays.stream(ids).distinct().count()).isEqualTo(KEYS / 2);
  }

  @Test
  void meanBytesFollowWhatIsRead() {
    Workload uniform = workload(new Popularity.Uniform(), SOUNDCLOUD, Arrivals.POISSON);
    double exact = uniform.keySpace().totalBytes() / (double) KEYS;
    assertThat(uniform.meanBytesPerRead()).isCloseTo(exact, within(0.05 * exact));
    double large = uniform.largeReadShare();
    assertThat(uniform.meanBytesPerRead())
        .isCloseTo(large * 65536 + (1 - large) * 1024, within(1e-6));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void kindsOfRequestsHaveTheirWidthsAndTheirSharesOfLargeValues(long seed) {
    Fanout mix =
        new Fanout.Mix(
            List.of(
                new RequestShape("most", 0.8, 5, OptionalDouble.of(0)),
                new RequestShape("rest", 0.2, 20, OptionalDouble.of(0.1))));
    Workload workload = workload(ZIPF, mix, Arrivals.POISSON);
    RequestStream stream = workload.stream(500, seed);
    int requests = 50_000;
    int wide = 0;
    int large = 0;
    for (int i = 0; i < requests; i++) {
      PlannedRequest request = stream.next();
      assertThat(Arrays.stream(request.keyIds()).distinct().count()).isEqualTo(request.reads());
      int largeKeys =
          (int) Arrays.stream(request.keyIds()).filter(workload.keySpace()::large).count();
      assertThat(request.large()).isEqualTo(largeKeys > 0);
      if (request.reads() == 20) {
        wide++;
        large += largeKeys;
      } else {
        assertThat(request.reads()).isEqualTo(5);
        assertThat(largeKeys).isZero();
      }
    }
    assertThat(wide / (double) requests)
        .as("seed %d", seed)
        .isCloseTo(0.2, within(5 * Math.sqrt(0.16 / requests)));
    assertThat(large / (20.0 * wide))
        .as("seed %d", seed)
        .isCloseTo(0.1, within(5 * Math.sqrt(0.09 / (20.0 * wide))));
    assertThat(workload.meanReadsPerRequest()).isCloseTo(8, within(1e-9));
  }

  @Test
  void largeValuesAreAsSkewedAsAllOthers() {
    Fanout mix = new Fanout.Mix(List.of(new RequestShape("all", 1, 1, OptionalDouble.of(1))));
    Workload workload = workload(ZIPF, mix, Arrivals.FIXED);
    int[] large = workload.ids(true);
    RequestStream stream = workload.stream(500, 7);
    int requests = 50_000;
    int hottest = 0;
    for (int i = 0; i < requests; i++) {
      hottest += stream.next().keyId(0) == large[0] ? 1 : 0;
    }
    double sum = 0;
    for (int rank = 1; rank <= large.length; rank++) {
      sum += Math.pow(rank, -0.99);
    }
    double expected = 1 / sum;
    assertThat(hottest / (double) requests)
        .isCloseTo(expected, within(5 * Math.sqrt(expected / requests)));
  }

  @Test
  void aMixWithoutSizesDrawsKeysAsOtherFanOutsDo() {
    Fanout mix = new Fanout.Mix(List.of(new RequestShape("all", 1, 7, OptionalDouble.empty())));
    RequestStream of = workload(ZIPF, mix, Arrivals.POISSON).stream(500, 3);
    RequestStream fixed = workload(ZIPF, new Fanout.Fixed(7), Arrivals.POISSON).stream(500, 3);
    for (int i = 0; i < 100; i++) {
      assertThat(of.next()).hasToString(fixed.next().toString());
    }
  }

  @Test
  void impossibleMixesAreRefused() {
    assertThatThrownBy(
            () -> new Fanout.Mix(List.of(new RequestShape("half", 0.5, 1, OptionalDouble.empty()))))
        .hasMessageContaining("sum to 0.5");
    assertThatThrownBy(
            () ->
                workload(
                    ZIPF,
                    new Fanout.Mix(
                        List.of(new RequestShape("all", 1, 100, OptionalDouble.of(0.01)))),
                    Arrivals.FIXED))
        .hasMessageContaining("may have 100 distinct keys with large values; then at least 200");
    assertThatThrownBy(() -> new RequestShape("none", 0, 1, OptionalDouble.empty()))
        .hasMessageContaining("(0, 1]");
  }

  @Test
  void contradictionsAreRefused() {
    assertThatThrownBy(() -> workload(ZIPF, new Fanout.Fixed(KEYS / 2 + 1), Arrivals.FIXED))
        .hasMessageContaining("at least 2002 keys are needed, not 2000");
    Workload workload = workload(ZIPF, SOUNDCLOUD, Arrivals.FIXED);
    assertThatThrownBy(() -> workload.stream(0, 1)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> new Popularity.Zipf(-1)).hasMessageContaining("0..10");
  }

  private static Workload workload(Popularity popularity, Fanout fanout, Arrivals arrivals) {
    return new Workload(
        new WorkloadSpec(
            KEYS,
            List.of(new SizeClass(1024, 0.95), new SizeClass(65536, 0.05)),
            65536,
            11,
            popularity,
            fanout,
            arrivals,
            WorkloadSpec.NARROW_MAX_READS));
  }
}
