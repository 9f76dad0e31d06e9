/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.testkit.LevelRace;
import dev.manx.client.testkit.Signals;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A second level in one memcached, under faults and evictions. */
@Tag("engines")
@Timeout(120)
class MemcachedLevelTest extends MemcachedLevelContract {
  @Override
  int count() {
    return 1;
  }

  @Test
  void aRestartBringsItBackAndNoOldValue() throws Exception {
    waitsBriefly();
    Backend<Integer, String> one = server();
    database.put(1, "old");
    fill(one, List.of(1));
    kill(0);
    database.put(1, "new");
    assertThat(isConfirmed(one, 1)).isFalse();
    assertThat(ask(one, 1)).isEqualTo("new");
    restart(0);
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
    Signals.send("STOP", node(0).pid());
    database.put(1, "new");
    assertThat(isConfirmed(one, 1)).isFalse();
    assertThat(ask(one, 1)).isEqualTo("new");
    assertThat(ask(one, 2)).isEqualTo("none");
    assertThat(ask(two, 2)).isEqualTo("none");
    Signals.send("CONT", node(0).pid());
    until(() -> level(one).unconfirmed() == 0);
    assertThat(ask(two, 1)).isEqualTo("new");
    untilItFills(two);
  }

  @Test
  void aValueLargerThanAnItemMayBeIsNotKeptAndOthersAre() throws Exception {
    Backend<Integer, String> one = server(address() + ", largest-value: 4MiB");
    untilItFills(one);
    database.put(1, "x".repeat(2 << 20));
    database.put(2, "small");
    long before = level(one).failures();
    ask(one, List.of(1, 2));
    until(() -> level(one).failures() > before);
    Backend<Integer, String> two = server();
    database.put(2, "other");
    assertThat(ask(two, 2)).isEqualTo("small");
    assertThat(ask(two, 1)).hasSize(2 << 20);
    database.put(3, "y".repeat(2 << 20));
    assertThat(ask(two, 3)).hasSize(2 << 20);
    until(() -> level(two).tooLarge() > 0);
  }

  /** It may evict any entry, including leases and the epoch. */
  @Test
  void oneThatEvictsLeavesNothingStale() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Thread rival = new Thread(() -> fillUntil(done), "fills memcached");
    rival.start();
    try (LevelRace race = new LevelRace(kind(), address(), 11)) {
      until(() -> evictions() > 0);
      race.run(1_000);
    } finally {
      done.set(true);
      rival.join();
    }
  }

  private long evictions() {
    try (MemcachedAdmin admin = new MemcachedAdmin(node(0).address(), Duration.ofSeconds(5))) {
      return MemcachedAdmin.number(admin.stats(""), "evictions");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Objects of the size of an entry, a thousand at a time. */
  private void fillUntil(AtomicBoolean done) {
    try (Socket socket = new Socket("127.0.0.1", node(0).address().getPort())) {
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      for (int batch = 0; !done.get(); batch++) {
        StringBuilder sets = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
          sets.append("set manx-test-").append(batch * 1_000 + i).append(" 0 0 40 noreply\r\n");
          sets.append("x".repeat(40)).append("\r\n");
        }
        sets.append("version\r\n");
        out.write(sets.toString().getBytes(StandardCharsets.US_ASCII));
        while (in.read() != '\n') {
          // Waits until all have been stored.
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
