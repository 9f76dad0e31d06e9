/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A second level at the master that a Sentinel names, and at its replacement. */
@Tag("engines")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class RedisSentinelLevelTest extends RedisLevelContract {
  private int master;
  private int sentinel;
  // Asked before it; empty: none.
  private String first = "";

  @Override
  void arrange() throws Exception {
    master = nodes.start("--save", "");
    nodes.replica(master);
    sentinel = nodes.sentinel(master);
    nodes.until(sentinel, "slaves=1", "INFO", "sentinel");
  }

  @Override
  protected String address() {
    return "redis: \"redis-sentinel://" + first + "127.0.0.1:" + sentinel + "#shop\"";
  }

  private void survives() throws Exception {
    waitsBriefly();
    Backend<Integer, String> one = server();
    Backend<Integer, String> two = server();
    database.put(1, "old");
    database.put(2, "two");
    fill(one, List.of(1, 2));
    // Confirmed by the replica too.
    assertThat(RedisNodes.ask(master, "WAIT", "1", "20000").strip()).isEqualTo("1");
    loseMaster();
    database.put(1, "new");
    isConfirmed(one, 1);
    assertThat(ask(one, 1)).isEqualTo("new");
    until(() -> level(one).unconfirmed() == 0);
    untilItFills(one);
    untilItFills(two);
    assertThat(ask(two, 1)).isEqualTo("new");
    // So that only the new master can have it.
    database.remove(2);
    untilANewServerFinds(2, "two");
    assertThat(one.stats().loadFailures()).isZero();
  }

  private boolean hangs;

  private void loseMaster() throws Exception {
    if (hangs) {
      nodes.signal("STOP", master);
    } else {
      nodes.kill(master);
    }
    RedisNodes.sentinelReplaces(sentinel);
  }

  @Test
  void aMasterThatDiesIsReplaced() throws Exception {
    survives();
  }

  /** Its connections stay open, but it does not answer. */
  @Test
  void aMasterThatHangsIsReplaced() throws Exception {
    hangs = true;
    survives();
  }

  /** Its connections are accepted, and no answer comes: the next one is asked in time. */
  @Test
  void aSentinelThatHangsIsLeftForTheNext() throws Exception {
    waitsBriefly();
    int hanging = nodes.sentinel(master);
    nodes.signal("STOP", hanging);
    first = "127.0.0.1:" + hanging + ",";
    long start = System.nanoTime();
    server();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
  }
}
