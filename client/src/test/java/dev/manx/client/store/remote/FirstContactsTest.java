/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.Waiting;
import dev.manx.client.store.ByteCodec;
import dev.manx.client.store.Codec;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreException;
import dev.manx.client.store.StoreSpec;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stores whose instances cannot be contacted when they are opened. */
@Timeout(60)
class FirstContactsTest {
  private static final Duration PATIENT = Duration.ofHours(1);

  private static final Codec<String, byte[]> BYTES = new ByteCodec();

  /** The reply to the first contact. */
  private interface Reply {
    void give() throws Exception;
  }

  private final FirstContacts contacts = new FirstContacts();
  private final CountDownLatch found = new CountDownLatch(1);
  private final AtomicInteger probes = new AtomicInteger();
  private final AtomicInteger resizes = new AtomicInteger();
  private final List<Store<String, byte[]>> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (Store<String, byte[]> store : opened) {
      store.close();
    }
  }

  private Store<String, byte[]> open(Reply reply, Duration retryAfter) {
    return open(reply, PATIENT, retryAfter);
  }

  private Store<String, byte[]> open(Reply reply, Duration pollInterval, Duration retryAfter) {
    FakeLink instance = new FakeLink();
    Link link =
        (Link)
            Proxy.newProxyInstance(
                Link.class.getClassLoader(),
                new Class<?>[] {Link.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("probe")) {
                    reply.give();
                  }
                  if (method.getName().equals("resize")) {
                    resizes.incrementAndGet();
                  }
                  return method.invoke(instance, arguments);
                });
    Store<String, byte[]> store =
        RemoteStore.open(
            new StoreSpec<>(
                "b" + opened.size(), 1 << 20, (key, value) -> value.length, Optional.of(BYTES)),
            link,
            new RemoteSettings(PATIENT, PATIENT, pollInterval, retryAfter, PATIENT, 1_024),
            contacts);
    opened.add(store);
    return store;
  }

  private Store<String, byte[]> nowhere() {
    return open(
        () -> {
          probes.incrementAndGet();
          throw new IOException("out of reach");
        },
        PATIENT);
  }

  private Store<String, byte[]> silent() {
    return open(found::await, PATIENT);
  }

  private static void until(Store<String, byte[]> store, boolean degraded) throws Exception {
    Waiting.until(() -> store.isDegraded() == degraded);
  }

  /** Otherwise each would add its wait, of hours here, to the start of the application. */
  @Test
  void afterOneThatIsMissingTheOthersAreNotWaitedFor() throws Exception {
    Store<String, byte[]> first = nowhere();
    assertThat(first.isDegraded()).isTrue();
    for (int i = 0; i < 9; i++) {
      assertThat(silent().isDegraded()).isTrue();
    }
    found.countDown();
    for (Store<String, byte[]> each : opened.subList(1, opened.size())) {
      until(each, false);
    }
  }

  @Test
  void aResizeOfOneThatIsMissingFailsAtOnceAndTriesNothing() {
    Store<String, byte[]> first = nowhere();
    Store<String, byte[]> busy = silent();
    assertThat(first.resize(2 << 20).toCompletableFuture()).isCompletedExceptionally();
    assertThat(busy.resize(2 << 20).toCompletableFuture()).isCompletedExceptionally();
    assertThat(busy.resize(3 << 20).toCompletableFuture()).isCompletedExceptionally();
    assertThat(probes).hasValue(1);
  }

  @Test
  void itGetsItsLatestSizeOnceItIsFound() throws Exception {
    nowhere();
    Store<String, byte[]> store = silent();
    assertThat(store.resize(2 << 20).toCompletableFuture()).isCompletedExceptionally();
    found.countDown();
    until(store, false);
    assertThat(store.allocatedBytes()).isEqualTo(2 << 20);
  }

  @Test
  void onceItIsFoundOrClosedTheNextIsWaitedForAgain() throws Exception {
    Store<String, byte[]> closed = nowhere();
    AtomicInteger failures = new AtomicInteger(1);
    closed.close();
    Store<String, byte[]> late =
        open(
            () -> {
              if (failures.getAndDecrement() > 0) {
                throw new IOException("not yet");
              }
            },
            Duration.ofMillis(1));
    until(late, false);
    Waiting.until(() -> !contacts.missing());
    CountDownLatch asked = new CountDownLatch(1);
    Thread opening =
        new Thread(
            () ->
                open(
                    () -> {
                      asked.countDown();
                      found.await();
                    },
                    PATIENT));
    opening.start();
    asked.await();
    while (opening.isAlive() && opening.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertThat(opening.isAlive()).as("its contact is awaited").isTrue();
    found.countDown();
    opening.join();
  }

  /** It may be waiting for the lease of its predecessor. */
  @Test
  void oneThatIsOccupiedIsNotMissing() {
    Store<String, byte[]> occupied =
        open(
            () -> {
              throw new StoreClaim.OccupiedException("for some seconds", false);
            },
            PATIENT);
    assertThat(occupied.isDegraded()).isTrue();
    Reply lasting =
        () -> {
          throw new StoreClaim.OccupiedException("for good", true);
        };
    assertThatThrownBy(() -> open(lasting, PATIENT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("for good");
  }

  @Test
  void aResizeThatWasQueuedBeforeTheLossTriesNothing() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    Store<String, byte[]> store =
        open(
            () -> {
              if (probes.incrementAndGet() > 1) {
                asked.countDown();
                found.await();
                throw new IOException("out of reach");
              }
            },
            Duration.ofMillis(1),
            PATIENT);
    asked.await();
    CompletableFuture<Long> resize = store.resize(2 << 20).toCompletableFuture();
    assertThat(resize).isNotDone();
    found.countDown();
    assertThatThrownBy(resize::get).hasCauseInstanceOf(StoreException.class);
    assertThat(resizes).hasValue(0);
  }
}
