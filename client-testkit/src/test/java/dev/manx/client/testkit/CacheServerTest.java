/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.client.store.server.CacheServer;
import dev.manx.client.store.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("engines")
class CacheServerTest {
  /** A JVM that starts a server, prints its pid, and waits. */
  public static final class Parent {
    public static void main(String[] arguments) throws Exception {
      CacheServer server = CacheServer.start(CacheServer.Kind.valueOf(arguments[0]), 16L << 20);
      System.out.println(server.pid());
      if (arguments[1].equals("wait")) {
        Thread.sleep(300_000);
      }
    }
  }

  private static Process parent(CacheServer.Kind kind, String then) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Parent.class.getName(),
            kind.name(),
            then)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @ParameterizedTest
  @EnumSource(CacheServer.Kind.class)
  void diesWithAJvmThatIsKilled(CacheServer.Kind kind) throws Exception {
    Needs.server(kind);
    assumeTrue(ChildProcess.guarded(), "needs setpriv of util-linux");
    Process parent = parent(kind, "wait");
    try (BufferedReader out = parent.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
      assertThat(child.isAlive()).isTrue();
      parent.destroyForcibly().waitFor();
      child.onExit().get(20, TimeUnit.SECONDS);
    } finally {
      parent.destroyForcibly();
    }
  }

  @ParameterizedTest
  @EnumSource(CacheServer.Kind.class)
  void diesWithAJvmThatEnds(CacheServer.Kind kind) throws Exception {
    Needs.server(kind);
    Process parent = parent(kind, "end");
    try (BufferedReader out = parent.inputReader()) {
      long pid = Long.parseLong(out.readLine());
      assertThat(parent.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    } finally {
      parent.destroyForcibly();
    }
  }

  @ParameterizedTest
  @EnumSource(CacheServer.Kind.class)
  void aPortThatIsTakenIsSaid(CacheServer.Kind kind) throws Exception {
    Needs.server(kind);
    try (CacheServer first = CacheServer.start(kind, 16L << 20)) {
      int port = first.address().getPort();
      assertThatThrownBy(() -> CacheServer.start(kind, 16L << 20, port))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("127.0.0.1:" + port);
    }
  }
}
