/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.message.TestNodes;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CreditMessagesTest {
  private static final InetAddressAndPort ONE = TestNodes.address(1);
  private static final InetAddressAndPort TWO = TestNodes.address(2);
  private static final CreditReport REPORT =
      new CreditReport(2_000_000_000L, true, Map.of(ONE, 5L, TWO, 70_000_000_000L));
  private static final CreditGrant GRANT = new CreditGrant(Map.of(ONE, 0L, TWO, 1_500_000_000L));

  @Test
  void theyAreReadBackUnchanged() {
    assertThat(CreditReport.decode(REPORT.encode())).isEqualTo(REPORT);
    assertThat(CreditGrant.decode(GRANT.encode())).isEqualTo(GRANT);
    CreditGrant beat = CreditGrant.decode(CreditGrant.BEAT.encode());
    assertThat(beat.isBeat()).isTrue();
    assertThat(GRANT.isBeat()).isFalse();
  }

  @Test
  void twoReportsOfOneIntervalAreMerged() {
    CreditReport later = new CreditReport(4_000_000_000L, false, Map.of(ONE, 6L));
    assertThat(REPORT.and(later))
        .isEqualTo(new CreditReport(4_000_000_000L, true, Map.of(ONE, 11L, TWO, 70_000_000_000L)));
  }

  @Test
  void impossibleAmountsAreRefusedOrBounded() {
    assertThat(CreditReport.decode(new CreditReport(0, false, Map.of()).encode())).isNull();
    assertThat(
            CreditReport.decode(
                new CreditReport(CreditReport.MOST_NANOS + 1, false, Map.of()).encode()))
        .isNull();
    CreditReport much = new CreditReport(1, false, Map.of(ONE, Long.MAX_VALUE));
    assertThat(CreditReport.decode(much.encode()).workNanos())
        .containsEntry(ONE, CreditReport.MOST_NANOS);
    assertThat(much.and(much).workNanos().get(ONE)).isNotNegative();
  }

  @Test
  void cutAndGarbledBytesAreRefusedOrReadWithinBounds() {
    long seed = 1_018;
    System.out.println("CreditMessagesTest: seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (byte[] whole : new byte[][] {REPORT.encode(), GRANT.encode()}) {
      for (int cut = 0; cut < whole.length; cut++) {
        assertThat(CreditReport.decode(Arrays.copyOf(whole, cut))).isNull();
      }
      for (int i = 0; i < 50_000; i++) {
        byte[] garbled = Arrays.copyOf(whole, whole.length + random.nextInt(2));
        garbled[random.nextInt(garbled.length)] = (byte) random.nextInt();
        CreditReport report = CreditReport.decode(garbled);
        if (report != null) {
          assertThat(report.capacityNanosPerSecond()).isBetween(1L, CreditReport.MOST_NANOS);
          assertThat(report.workNanos().values())
              .allMatch(work -> work >= 0 && work <= CreditReport.MOST_NANOS);
        }
        CreditGrant grant = CreditGrant.decode(garbled);
        assertThat(grant == null || grant.nanosPerSecond().values().stream().allMatch(n -> n >= 0))
            .isTrue();
      }
    }
  }
}
