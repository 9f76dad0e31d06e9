/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A received message whose handling hangs or fails delays nothing else. */
@Timeout(60)
class InboxTest {
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private final Inbox inbox =
      new Inbox(
          new InvalidationChannel.Listener() {
            @Override
            public void received(byte[] message) {
              heard.add("message of " + message.length);
              if (message.length == 1) {
                await();
              } else if (message.length == 2) {
                Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
                throw new AssertionError("of a key");
              }
            }

            @Override
            public void broken(String why) {
              heard.add(why);
            }
          });

  private void await() {
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String next() throws InterruptedException {
    return heard.poll(20, TimeUnit.SECONDS);
  }

  @AfterEach
  void close() {
    release.countDown();
    inbox.close();
  }

  @Test
  void messagesAndBreaksKeepTheirOrderWhileOneHangs() throws Exception {
    inbox.received(new byte[1]);
    assertThat(next()).isEqualTo("message of 1");
    inbox.received(new byte[3]);
    inbox.broken("it broke");
    inbox.received(new byte[4]);
    assertThat(heard).isEmpty();
    release.countDown();
    assertThat(next()).isEqualTo("message of 3");
    assertThat(next()).isEqualTo("it broke");
    assertThat(next()).isEqualTo("message of 4");
  }

  @Test
  void anErrorEndsOnlyItsOwnMessage() throws Exception {
    inbox.received(new byte[2]);
    inbox.received(new byte[3]);
    assertThat(next()).isEqualTo("message of 2");
    assertThat(next()).isEqualTo("message of 3");
  }

  @Test
  void moreThanMayWaitCountsAsLost() throws Exception {
    inbox.received(new byte[1]);
    assertThat(next()).isEqualTo("message of 1");
    for (int i = 0; i < 9; i++) {
      inbox.received(new byte[Inbox.MOST_BYTES / 8]);
    }
    inbox.received(new byte[3]);
    release.countDown();
    assertThat(next()).contains("too many messages");
    // The eighth was the first beyond the limit.
    assertThat(next()).isEqualTo("message of " + Inbox.MOST_BYTES / 8);
    assertThat(next()).isEqualTo("message of 3");
  }

  @Test
  void afterTheEndNothingIsHandedOn() throws Exception {
    inbox.received(new byte[1]);
    assertThat(next()).isEqualTo("message of 1");
    inbox.received(new byte[3]);
    inbox.close();
    inbox.received(new byte[4]);
    release.countDown();
    assertThat(heard).isEmpty();
  }
}
