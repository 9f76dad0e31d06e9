/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.message.TestNodes;
import java.util.Map;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The policy's numbers, as computed by hand, through reports. */
@Timeout(60)
class CreditOfficeTest {
  private static final InetAddressAndPort ONE = TestNodes.address(1);
  private static final InetAddressAndPort TWO = TestNodes.address(2);
  private static final InetAddressAndPort THREE = TestNodes.address(3);
  private static final InetAddressAndPort STOCK = TestNodes.address(4);

  private static final long SECOND = 1_000_000_000L;

  private CreditOffice office;
  private long now;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  private void begin() {
    office =
        new CreditOffice(
            TestEngines.of(
                    "strategy: { fanout: { policy: fanout.brb-credits, floor: 0.1% } }", () -> 5)
                .strategy()
                .planner()
                .credits());
  }

  private void report(InetAddressAndPort node, boolean congested, Map<InetAddressAndPort, Long> w) {
    office.report(node, new CreditReport(1_000, congested, w), now);
  }

  private long granted(InetAddressAndPort coordinator, InetAddressAndPort node) {
    return office.grants().get(coordinator).nanosPerSecond().get(node);
  }

  @Test
  void creditIsInProportionToDemandAndCapacity() {
    begin();
    report(ONE, false, Map.of(THREE, 60L, STOCK, 1L));
    report(TWO, false, Map.of(THREE, 30L));
    report(THREE, false, Map.of(THREE, 30L));
    office.adapt();
    assertThat(granted(ONE, THREE)).isEqualTo(500);
    assertThat(granted(TWO, THREE)).isEqualTo(250);
    assertThat(granted(THREE, THREE)).isEqualTo(250);
    assertThat(granted(ONE, TWO)).as("without demand").isEqualTo(333);
    assertThat(office.grants().get(ONE).nanosPerSecond())
        .as("one that does not report is not bounded")
        .containsOnlyKeys(ONE, TWO, THREE);
    report(ONE, false, Map.of());
    report(TWO, false, Map.of());
    report(THREE, true, Map.of(THREE, 30L));
    office.adapt();
    assertThat(granted(THREE, THREE)).as("congested").isEqualTo(900);
  }

  @Test
  void aSilentPeerIsAMemberForThreeIntervalsAndTheOthersKeepTheirKnowledge() {
    begin();
    report(ONE, false, Map.of());
    report(TWO, true, Map.of());
    office.adapt();
    assertThat(granted(ONE, TWO)).isEqualTo(450);
    for (int i = 1; i < CreditOffice.SILENT_INTERVALS; i++) {
      report(TWO, false, Map.of());
      office.adapt();
      assertThat(office.grants()).containsOnlyKeys(ONE, TWO);
    }
    report(TWO, true, Map.of());
    office.adapt();
    assertThat(office.grants()).containsOnlyKeys(TWO);
    assertThat(granted(TWO, TWO)).as("nine tenths of nine tenths").isEqualTo(810);
  }

  /** Its timer is slower than the controller's. */
  @Test
  void aMemberWhoseReportIsLateKeepsItsCredit() {
    begin();
    report(ONE, true, Map.of(THREE, 60L));
    report(TWO, false, Map.of(THREE, 30L));
    report(THREE, false, Map.of(THREE, 30L));
    office.adapt();
    assertThat(granted(ONE, THREE)).isEqualTo(500);
    assertThat(granted(TWO, ONE)).as("congested").isEqualTo(300);
    report(TWO, false, Map.of(THREE, 30L));
    report(THREE, false, Map.of(THREE, 30L));
    office.adapt();
    assertThat(granted(ONE, THREE)).as("by its last demand").isEqualTo(500);
    assertThat(granted(TWO, THREE)).isEqualTo(250);
    assertThat(granted(TWO, ONE)).as("its congestion counts once").isEqualTo(300);
    report(TWO, false, Map.of(THREE, 30L));
    report(THREE, false, Map.of(THREE, 30L));
    office.adapt();
    assertThat(granted(TWO, THREE)).as("it may have died").isEqualTo(500);
    assertThat(granted(ONE, THREE)).as("the floor").isLessThan(10);
  }

  /** Its timer is faster than the controller's. */
  @Test
  void aMemberThatReportsTwiceInAnIntervalTakesNoCreditOfOthers() {
    begin();
    report(ONE, true, Map.of(THREE, 50L));
    report(ONE, false, Map.of(THREE, 70L));
    report(TWO, false, Map.of(THREE, 30L));
    report(THREE, false, Map.of(THREE, 30L));
    office.adapt();
    assertThat(granted(ONE, THREE)).isEqualTo(500);
    assertThat(granted(TWO, THREE)).isEqualTo(250);
    assertThat(granted(TWO, ONE)).as("congested").isEqualTo(300);
  }

  /** The controller's interval is a second, and these of the others five and a fifth of it. */
  @Test
  void membersWithOtherIntervalsTakeNoCreditOfOthers() {
    begin();
    for (int fifth = 0; fifth < 100; fifth++) {
      now += SECOND / 5;
      report(TWO, false, Map.of(THREE, 30L));
      if (fifth % 25 == 0) {
        report(ONE, fifth == 0, Map.of(THREE, 25 * 60L));
      }
      if (fifth % 5 == 4) {
        report(THREE, false, Map.of(THREE, 5 * 30L));
        office.adapt();
        if (fifth > 50) {
          assertThat(granted(ONE, THREE)).as("fifth %d", fifth).isEqualTo(500);
          assertThat(granted(TWO, THREE)).as("fifth %d", fifth).isEqualTo(250);
        }
      }
    }
  }

  @Test
  void aMemberWithALongerIntervalIsOneForThreeOfThose() {
    begin();
    for (int second = 0; second <= 10; second++) {
      now += SECOND;
      if (second % 5 == 0) {
        report(ONE, false, Map.of(THREE, 60L));
      }
      report(THREE, false, Map.of(THREE, 12L));
      office.adapt();
      if (second >= 5) {
        assertThat(office.grants()).as("second %d", second).containsOnlyKeys(ONE, THREE);
      }
    }
    for (int silent = 1; silent <= 15; silent++) {
      now += SECOND;
      report(THREE, false, Map.of(THREE, 12L));
      office.adapt();
      if (silent <= 9) {
        assertThat(granted(ONE, THREE)).as("silent for %d s", silent).isEqualTo(500);
      } else if (silent < 15) {
        assertThat(granted(ONE, THREE)).as("silent for %d s", silent).isLessThan(10);
      } else {
        assertThat(office.grants()).containsOnlyKeys(THREE);
      }
    }
  }

  /** It was off meanwhile, so the time since its last report is no interval. */
  @Test
  void aMemberThatReturnsHasItsIntervalAgain() {
    begin();
    for (int second = 0; second < 60; second++) {
      now += SECOND;
      report(THREE, false, Map.of(THREE, 30L));
      if (second < 5 || second >= 50) {
        report(ONE, false, Map.of(THREE, 30L));
      }
      office.adapt();
      if (second < 5 || second >= 50) {
        assertThat(granted(ONE, THREE)).as("second %d", second).isEqualTo(500);
      }
    }
  }

  /** One is a second late; then three wait while the controller's node pauses. */
  @Test
  void reportsThatAreLateOnTheirWayAreNotOfAnotherInterval() {
    begin();
    for (int second = 0; second < 12; second++) {
      now += SECOND;
      boolean paused = second == 7 || second == 8;
      int reports = paused ? 0 : second == 9 ? 3 : 1;
      for (int i = 0; i < reports; i++) {
        report(THREE, false, Map.of(THREE, 30L));
        if (second != 4) {
          report(ONE, false, Map.of(THREE, 30L));
        }
        if (second == 5 && i == 0) {
          report(ONE, false, Map.of(THREE, 30L));
        }
      }
      if (!paused) {
        office.adapt();
        assertThat(granted(ONE, THREE)).as("second %d", second).isBetween(400L, 600L);
      }
    }
  }

  /** A connection is interrupted for five seconds; then three reports arrive together. */
  @Test
  void reportsThatArriveTogetherAfterAStallAreNotOfAShorterInterval() {
    begin();
    for (int second = 0; second < 20; second++) {
      now += SECOND;
      boolean stalled = second >= 7 && second < 12;
      report(THREE, false, Map.of(THREE, 30L));
      int reports = stalled ? 0 : second == 12 ? 3 : 1;
      for (int i = 0; i < reports; i++) {
        report(ONE, false, Map.of(THREE, 30L));
      }
      office.adapt();
      if (second >= 12 && second <= 16) {
        assertThat(granted(ONE, THREE)).as("second %d", second).isBetween(400L, 600L);
      }
    }
  }

  @Test
  void membersAreBounded() {
    begin();
    for (int i = 0; i < 2 * CreditOffice.MOST_MEMBERS; i++) {
      InetAddressAndPort node;
      try {
        node = InetAddressAndPort.getByName("10.0." + i / 256 + "." + i % 256);
      } catch (java.net.UnknownHostException e) {
        throw new IllegalStateException(e);
      }
      report(node, false, Map.of());
    }
    office.adapt();
    assertThat(office.grants()).hasSize(CreditOffice.MOST_MEMBERS);
    assertThat(office.grants().values().iterator().next().encode().length).isLessThan(16 << 10);
  }
}
