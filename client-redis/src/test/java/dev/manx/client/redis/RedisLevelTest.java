/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSettings;
import dev.manx.client.BreakerSettings;
import dev.manx.client.FanoutCache;
import dev.manx.client.testkit.LevelRace;
import dev.manx.client.testkit.Relay;
import dev.manx.client.testkit.Songs;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A second level in one Redis, under faults and evictions. */
@Tag("engines")
@Timeout(120)
class RedisLevelTest extends RedisLevelContract {
  private int port;

  @Override
  void arrange() throws Exception {
    port = nodes.start("--save", "");
  }

  @Override
  protected String address() {
    return "redis: \"redis://127.0.0.1:" + port + "\"";
  }

  @Test
  void aRestartBringsItBackAndNoOldValue() throws Exception {
    waitsBriefly();
    Backend<Integer, String> one = server();
    database.put(1, "old");
    fill(one, List.of(1));
    nodes.kill(port);
    database.put(1, "new");
    assertThat(isConfirmed(one, 1)).isFalse();
    assertThat(ask(one, 1)).isEqualTo("new");
    nodes.restart(port);
    until(() -> level(one).unconfirmed() == 0);
    untilItFills(one);
    assertThat(ask(server(), 1)).isEqualTo("new");
    assertThat(one.stats().loadFailures()).isZero();
  }

  @Test
  void oneThatHangsHoldsUpNoLoadAndForgetsWhenItGoesOn() throws Exception {
    waitsBriefly();
    Backend<Integer, String> one = server();
    Backend<Integer, String> two = server();
    database.put(1, "old");
    fill(one, List.of(1));
    nodes.signal("STOP", port);
    database.put(1, "new");
    assertThat(isConfirmed(one, 1)).isFalse();
    assertThat(ask(one, 1)).isEqualTo("new");
    assertThat(ask(one, 2)).isEqualTo("none");
    assertThat(ask(two, 2)).isEqualTo("none");
    nodes.signal("CONT", port);
    until(() -> level(one).unconfirmed() == 0);
    assertThat(ask(two, 1)).isEqualTo("new");
    untilItFills(two);
  }

  @Test
  void oneThatIsFullAnswersWhatItHasAndForgets() throws Exception {
    Backend<Integer, String> one = server();
    database.put(1, "old");
    fill(one, List.of(1));
    RedisNodes.ask(port, "CONFIG", "SET", "maxmemory", "1");
    Backend<Integer, String> two = server(address());
    until(() -> isConfirmed(two, 3));
    long before = level(two).failures();
    assertThat(ask(two, 4)).isEqualTo("none");
    assertThat(level(two).failures()).isGreaterThan(before);
    assertThat(level(two).fills()).isZero();
    assertThat(ask(two, 1)).isEqualTo("old");
    assertThat(level(two).hits()).isEqualTo(1);
    database.put(1, "new");
    assertThat(isConfirmed(two, 1)).isTrue();
    assertThat(ask(two, 1)).isEqualTo("new");
    RedisNodes.ask(port, "CONFIG", "SET", "maxmemory", "0");
    untilItFills(two);
  }

  /** It may evict any entry, including leases and the epoch. */
  @Test
  void oneThatEvictsLeavesNothingStale() throws Exception {
    RedisNodes.ask(port, "CONFIG", "SET", "maxmemory-policy", "allkeys-random");
    String used = RedisNodes.ask(port, "INFO", "memory");
    long bytes = RedisLink.field(used, "used_memory");
    RedisNodes.ask(port, "CONFIG", "SET", "maxmemory", Long.toString(bytes + (1 << 20)));
    AtomicBoolean done = new AtomicBoolean();
    Thread rival = new Thread(() -> fillUntil(done), "fills redis");
    rival.start();
    try (LevelRace race = new LevelRace(kind(), address(), 11)) {
      until(() -> evictions() > 0);
      long before = evictions();
      race.run(1_000);
      assertThat(evictions()).as("entries evicted during the race").isGreaterThan(before);
    } finally {
      done.set(true);
      rival.join();
    }
  }

  private long evictions() {
    try {
      return RedisLink.field(RedisNodes.ask(port, "INFO", "stats"), "evicted_keys");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Objects of the size of an entry, a hundred at a time. */
  private void fillUntil(AtomicBoolean done) {
    for (int batch = 0; !done.get(); batch++) {
      RedisNodes.ask(
          port,
          "EVAL",
          "for i = 1, 100 do"
              + " redis.call('SET', 'other' .. ARGV[1] .. ':' .. i, string.rep('x', 40)) end",
          "0",
          Integer.toString(batch));
    }
  }

  @Test
  void itNeedsTheRightPassword() throws Exception {
    RedisNodes.ask(
        port, "ACL", "SETUSER", "app", "on", ">secret", "~manx:level:shop:*", "+@all", "-config");
    RedisNodes.ask(port, "ACL", "SETUSER", "default", "off");
    Backend<Integer, String> wrong = server("redis: \"redis://app:wrong@127.0.0.1:" + port + "\"");
    assertThat(ask(wrong, 1)).isEqualTo("none");
    Backend<Integer, String> right = server("redis: \"redis://app:secret@127.0.0.1:" + port + "\"");
    untilItFills(right);
    assertThat(level(wrong).fills()).isZero();
  }

  /** Each operation takes longer than half of the time that the backend has. */
  @Test
  void oneThatIsFarAwayFailsNoLoad() throws Exception {
    server();
    try (Relay relay = new Relay(new InetSocketAddress("127.0.0.1", port));
        FanoutCache cache =
            FanoutCache.builder()
                .configure(
                    ConfigNode.parse(
                        "settings",
                        "{ capacity: 8MiB, second-level: { redis: 'redis://127.0.0.1:"
                            + relay.address().getPort()
                            + "', application: shop, timeout: 5s } }"))
                .drivenByHost()
                .open()) {
      Backend<Integer, String> songs =
          cache.add(
              Songs.of(database)
                  .with(TEXT)
                  .with(
                      BackendSettings.DEFAULTS
                          .withTimeOut(Duration.ofSeconds(1))
                          .withBreaker(new BreakerSettings(1, 0.5, Duration.ofHours(1)))));
      untilItFills(songs);
      // In both directions, and there are two operations.
      relay.delay(Duration.ofMillis(300));
      for (int key = 0; key < 3; key++) {
        assertThat(ask(songs, key)).isEqualTo("none");
      }
      assertThat(songs.stats().loadTimeOuts()).isZero();
      assertThat(songs.stats().breakerOpen()).isFalse();
    }
  }

  /** Lines of a client list, without the one that asks for it. */
  private boolean hasClient() {
    return RedisNodes.ask(port, "CLIENT", "LIST", "TYPE", "normal")
        .lines()
        .anyMatch(line -> line.contains("id=") && !line.contains("cmd=client|list"));
  }

  /** A server, a proxy or a firewall closes connections that are idle. */
  @Test
  void aClosedConnectionIsMadeAnewBeforeItIsNeeded() throws Exception {
    Backend<Integer, String> one = server();
    fill(one, List.of(1));
    until(this::hasClient);
    RedisNodes.ask(port, "CLIENT", "KILL", "TYPE", "normal");
    // No operation is sent meanwhile.
    until(this::hasClient);
    until(() -> isConfirmed(one, 1));
    untilItFills(one);
  }
}
