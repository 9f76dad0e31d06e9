/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An Error thrown by a library, for example for lack of memory, fails only one operation. */
@Timeout(60)
class ErrorsOfLinksTest {
  private static final RemoteSettings ONE_AT_ONCE =
      new RemoteSettings(
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofHours(1),
          1);

  private final FakeLink link = new FakeLink();
  private AutoCloseable open;

  @AfterEach
  void close() throws Exception {
    open.close();
  }

  private static void fails(CompletableFuture<?> operation) {
    assertThatThrownBy(() -> operation.get(20, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(AssertionError.class);
  }

  @Test
  void anOperationGivesItsPlaceBack() throws Exception {
    Operations operations = new Operations(ONE_AT_ONCE, new Reachability(() -> {}));
    open = operations;
    link.breaks(new AssertionError("of the library"));
    fails(operations.send(() -> link.get(List.of("key"))));
    link.breaks(null);
    fails(
        operations.send(
            () -> link.get(List.of("key")),
            (found, result) -> {
              throw new AssertionError("of the last step");
            }));
    CompletableFuture<Map<String, byte[]>> next = operations.send(() -> link.get(List.of("key")));
    assertThat(next.get(20, TimeUnit.SECONDS)).isEmpty();
  }

  @Test
  void aResizeIsNotUnderWayForEver() throws Exception {
    InstanceSupervisor supervisor =
        new InstanceSupervisor("songs", link, ONE_AT_ONCE, new FirstContacts(), 1 << 20);
    open = supervisor;
    supervisor.open();
    link.breaks(new AssertionError("of the library"));
    fails(supervisor.resize(2 << 20));
    link.breaks(null);
    assertThat(supervisor.resize(3 << 20).get(20, TimeUnit.SECONDS)).isEqualTo(3 << 20);
  }
}
