/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.load.connect.NodeException;
import dev.manx.load.connect.NodeException.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node's slowness relative to the others, as coordinators know it. */
class SightTest {
  private static final List<String> OTHERS =
      List.of("10.0.0.2:7000", "10.0.0.3:7000", "10.0.0.4:7000");

  private static Map<String, Object> row(String host, long slowness, long ageMillis) {
    return Map.of("address", host + ":7000", "slowness", slowness, "facts_age_ms", ageMillis);
  }

  private static Sight sight(long cold, long... others) {
    return Sight.of(
        List.of(
            row("10.0.0.1", cold, 20),
            row("10.0.0.2", others[0], 20),
            row("10.0.0.3", others[1], 20),
            row("10.0.0.4", others[2], 20)));
  }

  @Test
  void aNodeIsComparedWithTheMiddleOfTheOthers() {
    assertThat(sight(3_000, 900, 1_000, 9_000).ratio("10.0.0.1:7000", OTHERS).orElseThrow())
        .isCloseTo(3, within(1e-9));
  }

  @Test
  void nodesShowAnAddressOfIpv6InBrackets() {
    String cold = "[2001:db8:0:0:0:0:0:1]";
    String warm = "[2001:db8:0:0:0:0:0:2]";
    Sight sight = Sight.of(List.of(row(cold, 3_000, 1), row(warm, 1_500, 1)));
    assertThat(sight.ratio(cold + ":7000", List.of(warm + ":7000")).orElseThrow())
        .isCloseTo(2, within(1e-9));
  }

  /** The last row would otherwise count for both, and a cold one be warm. */
  @Test
  void instancesOfOneHostAreToldApartByTheirPorts() {
    Sight sight =
        Sight.of(
            List.of(
                Map.of("address", "10.0.0.1:7000", "slowness", 3_000L, "facts_age_ms", 1L),
                Map.of("address", "10.0.0.1:7001", "slowness", 1_000L, "facts_age_ms", 1L)));
    assertThat(sight.ratio("10.0.0.1:7000", List.of("10.0.0.1:7001")).orElseThrow())
        .isCloseTo(3, within(1e-9));
  }

  @Test
  void theMiddleOfWhatCoordinatorsFindCounts() {
    List<Sight> sights =
        List.of(
            sight(3_000, 1_000, 1_000, 1_000),
            sight(1_000, 1_000, 1_000, 1_000),
            sight(1_200, 1_000, 1_000, 1_000),
            Sight.NONE);
    assertThat(Sight.ratio(sights, "10.0.0.1:7000", OTHERS).orElseThrow())
        .isCloseTo(1.2, within(1e-9));
    assertThat(Sight.ratio(List.of(Sight.NONE), "10.0.0.1:7000", OTHERS)).isEmpty();
  }

  @Test
  void unmeasuredAndOldValuesDoNotCount() {
    assertThat(sight(0, 1_000, 1_000, 1_000).ratio("10.0.0.1:7000", OTHERS)).isEmpty();
    assertThat(sight(1_000, 0, 0, 0).ratio("10.0.0.1:7000", OTHERS)).isEmpty();
    assertThat(
            Sight.of(List.of(row("10.0.0.1", 1_000, 60_000), row("10.0.0.2", 1_000, 20)))
                .ratio("10.0.0.1:7000", OTHERS))
        .as("reported before the restart")
        .isEmpty();
    assertThat(Sight.of(List.of(Map.of("address", "10.0.0.1:7000"))).slowness()).isEmpty();
  }

  /** Such a user waited ten minutes for `too few reads`. */
  @Test
  void aUserWithoutTheGrantGetsItsName() {
    Sight refused =
        Sight.of(
            cql -> {
              throw new NodeException(Kind.FORBIDDEN, "no SELECT permission", null);
            });
    assertThat(refused.slowness()).isEmpty();
    assertThat(refused.refusal()).contains("GRANT SELECT ON TABLE manx.replicas");
    assertThat(
            Sight.of(
                cql -> {
                  throw new NodeException(Kind.UNREACHABLE, "nothing listens there", null);
                }))
        .as("it may answer later")
        .isEqualTo(Sight.NONE);
  }
}
