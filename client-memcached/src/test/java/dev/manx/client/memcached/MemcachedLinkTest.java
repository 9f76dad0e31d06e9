/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.store.remote.RemoteSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a store's link handles Errors. */
@Timeout(60)
class MemcachedLinkTest {
  private static final class Broken extends AbstractMap<String, byte[]> {
    @Override
    public Set<Map.Entry<String, byte[]>> entrySet() {
      throw new AssertionError("asked to fail");
    }
  }

  @Test
  void anErrorIsAFailureOfItsOwnOperation() throws Exception {
    RemoteSettings settings = RemoteSettings.standard().withTimeout(Duration.ofSeconds(20));
    // It accepts connections and never answers.
    try (ServerSocket silent = new ServerSocket(0, 2, InetAddress.getByName("127.0.0.1"));
        MemcachedLink link =
            new MemcachedLink(
                "songs", new InetSocketAddress("127.0.0.1", silent.getLocalPort()), settings)) {
      for (int i = 0; i < 8; i++) {
        CompletionStage<?> put = link.put(new Broken(), null);
        assertThatThrownBy(() -> put.toCompletableFuture().get(20, TimeUnit.SECONDS))
            .hasCauseInstanceOf(AssertionError.class);
      }
    }
  }
}
