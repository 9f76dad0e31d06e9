/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.testkit.Signals;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A second level in three memcached servers, one of which dies or hangs. */
@Tag("engines")
@Timeout(120)
class MemcachedFleetLevelTest extends MemcachedLevelContract {
  private static final String EPOCH = "manx:level:shop:songs:";
  private static final List<Integer> PAGE = IntStream.range(0, 60).boxed().toList();

  @Override
  int count() {
    return 3;
  }

  /** A server without the epoch, without which no entry is valid. */
  private int other() {
    return (nodeOf(EPOCH) + 1) % count();
  }

  private List<Integer> keysOf(int node) {
    return PAGE.stream().filter(key -> nodeOf(EPOCH + key) == node).toList();
  }

  @Test
  void keysOfTheOthersAreFoundWhileOneIsDead() throws Exception {
    keysOfTheOthersAreFound(() -> kill(other()));
  }

  @Test
  void keysOfTheOthersAreFoundWhileOneHangs() throws Exception {
    keysOfTheOthersAreFound(() -> Signals.send("STOP", node(other()).pid()));
  }

  private interface Loss {
    void happens() throws Exception;
  }

  private void keysOfTheOthersAreFound(Loss loss) throws Exception {
    Backend<Integer, String> one = server();
    PAGE.forEach(key -> database.put(key, "song"));
    fill(one, PAGE);
    Backend<Integer, String> two = server();
    int lost = keysOf(other()).size();
    assertThat(lost).isBetween(5, 40);
    loss.happens();
    assertThat(ask(two, PAGE)).hasSize(PAGE.size());
    assertThat(level(two).hits()).isEqualTo(PAGE.size() - lost);
    assertThat(two.stats().loadFailures()).isZero();
  }

  @Test
  void oneThatComesBackHasNoOldValue() throws Exception {
    waitsBriefly();
    Backend<Integer, String> one = server();
    PAGE.forEach(key -> database.put(key, "old"));
    fill(one, PAGE);
    int lost = other();
    Signals.send("STOP", node(lost).pid());
    PAGE.forEach(key -> database.put(key, "new"));
    var unused = one.invalidate(PAGE);
    assertThat(ask(one, PAGE).values()).containsOnly("new");
    Signals.send("CONT", node(lost).pid());
    until(() -> level(one).unconfirmed() == 0);
    assertThat(ask(server(), PAGE).values()).containsOnly("new");
    assertThat(one.stats().loadFailures()).isZero();
  }

  /** The backend is asked for all of its keys, and the invalidation of all keys is remembered. */
  @Test
  void theOneWithTheEpochComesBackEmpty() throws Exception {
    waitsBriefly();
    Backend<Integer, String> one = server();
    PAGE.forEach(key -> database.put(key, "old"));
    fill(one, PAGE);
    int lost = nodeOf(EPOCH);
    kill(lost);
    PAGE.forEach(key -> database.put(key, "new"));
    var unused = one.invalidateAll();
    assertThat(ask(one, PAGE).values()).containsOnly("new");
    restart(lost);
    until(() -> level(one).unconfirmed() == 0);
    untilItFills(one);
    assertThat(ask(server(), PAGE).values()).containsOnly("new");
  }
}
