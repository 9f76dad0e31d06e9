/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The mapping of names to servers of a fleet. */
@Timeout(60)
class FleetTest {
  private static final List<String> NAMES =
      IntStream.range(0, 30_000).mapToObj(i -> "manx:level:shop:songs:" + i).toList();

  private static List<InetSocketAddress> addresses(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> InetSocketAddress.createUnresolved("10.0.0." + i, 11211))
        .toList();
  }

  @Test
  void allHaveAboutTheSameNumberOfNames() {
    Fleet fleet = new Fleet(addresses(10));
    Map<String, Integer> counts = new HashMap<>();
    NAMES.forEach(name -> counts.merge(fleet.of(name), 1, Integer::sum));
    assertThat(counts).hasSize(10);
    // Four standard deviations of a binomial distribution.
    assertThat(counts.values()).allMatch(count -> Math.abs(count - 3_000) < 210);
  }

  @Test
  void theOrderOfTheAddressesDoesNotMatter() {
    List<InetSocketAddress> shuffled = new ArrayList<>(addresses(10));
    Collections.shuffle(shuffled, new Random(1));
    Fleet one = new Fleet(addresses(10));
    Fleet other = new Fleet(shuffled);
    assertThat(NAMES).allMatch(name -> one.of(name).equals(other.of(name)));
  }

  @Test
  void oneThatIsAddedTakesNamesOnlyForItself() {
    Fleet before = new Fleet(addresses(9));
    Fleet after = new Fleet(addresses(10));
    List<String> moved =
        NAMES.stream().filter(name -> !before.of(name).equals(after.of(name))).toList();
    assertThat(moved).allMatch(name -> after.of(name).equals("10.0.0.9:11211"));
    assertThat(moved).hasSizeBetween(2_790, 3_210);
  }

  /** Another version of Manx must find the values stored by this one. */
  @Test
  void namesStayWhereTheyAre() {
    Fleet fleet = new Fleet(addresses(4));
    assertThat(NAMES.stream().limit(8).map(fleet::of).map(at -> at.charAt(7)))
        .containsExactly('3', '2', '2', '2', '0', '3', '1', '1');
  }

  @Test
  void needsServersThatDiffer() {
    assertThatThrownBy(() -> new Fleet(List.of())).hasMessageContaining("at least one");
    List<InetSocketAddress> twice = new ArrayList<>(addresses(2));
    twice.addAll(addresses(1));
    assertThatThrownBy(() -> new Fleet(twice)).hasMessageContaining("10.0.0.0:11211");
  }

  @Test
  void longNamesHaveKeysThatMemcachedTakes() {
    String shop = "manx:level:shop:songs:" + "k".repeat(222);
    assertThat(MemcachedLevel.key(shop)).isEqualTo(shop);
    String one = MemcachedLevel.key(shop + "1");
    String other = MemcachedLevel.key(shop + "2");
    assertThat(one).startsWith("manx:level:shop:songs:").hasSizeLessThanOrEqualTo(250);
    assertThat(one).isNotEqualTo(other).doesNotContain(" ");
    assertThat(MemcachedLevel.key(one)).as("the key of another name").isNotEqualTo(one);
  }
}
