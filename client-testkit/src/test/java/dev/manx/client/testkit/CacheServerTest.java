/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.client.store.server.CacheServer;
import dev.manx.client.store.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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

  /** The folders that servers of a JVM use, or have left. */
  private static List<Path> folders(long jvm) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("manx-cache-" + jvm + "-"))
          .toList();
    }
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static Path folderOf(CacheServer redis) throws IOException {
    String answers =
        Inline.ask(redis.address(), "AUTH " + redis.password(), "CONFIG GET dir", "SAVE");
    assertThat(answers).as("SAVE").contains("+OK\r\n+OK\r\n");
    List<String> lines = answers.lines().toList();
    return Path.of(lines.get(lines.indexOf("dir") + 2));
  }

  /** It loaded /tmp/dump.rdb, or did not start because of it, and a SAVE left all values there. */
  @Test
  void redisReadsAndWritesFilesInItsOwnFolderOnly() throws Exception {
    Needs.server(CacheServer.Kind.REDIS);
    Path folder;
    try (CacheServer redis = CacheServer.start(CacheServer.Kind.REDIS, 16L << 20);
        CacheServer other = CacheServer.start(CacheServer.Kind.REDIS, 16L << 20)) {
      folder = folderOf(redis);
      assertThat(folder).isNotEqualTo(Path.of("/tmp")).isNotEqualTo(folderOf(other));
      assertThat(permissions(folder)).isEqualTo("rwx------");
      assertThat(folder).isDirectoryNotContaining("glob:**/dump.rdb");
      assertThat(folder).isDirectoryContaining("glob:**.rdb");
    }
    assertThat(folder).doesNotExist();
  }

  /** Every user of this machine could read, change and resize the cache. */
  @Test
  void redisServesOnlyWhoKnowsThePassword() throws Exception {
    Needs.server(CacheServer.Kind.REDIS);
    try (CacheServer redis = CacheServer.start(CacheServer.Kind.REDIS, 16L << 20);
        CacheServer other = CacheServer.start(CacheServer.Kind.REDIS, 16L << 20)) {
      assertThat(Inline.ask(redis.address(), "INFO server")).startsWith("-NOAUTH ");
      assertThat(redis.password()).hasSizeGreaterThan(20).isNotEqualTo(other.password());
      String arguments = ProcessHandle.of(redis.pid()).orElseThrow().info().toString();
      assertThat(arguments).contains("redis").doesNotContain(redis.password());
      for (Path folder : folders(ProcessHandle.current().pid())) {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.toList()) {
            assertThat(permissions(file)).as(file.toString()).isEqualTo("rw-------");
          }
        }
      }
    }
  }

  @Test
  void aServerThatIsStartedAsAProcessOfATestHasNoPassword() throws Exception {
    try (ServerProcess redis = ServerProcess.start(CacheServer.Kind.REDIS, 16L << 20, 0)) {
      assertThat(Inline.ask(redis.address(), "INFO server")).contains("process_id:" + redis.pid());
    }
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
      assertThat(folders(parent.pid())).hasSize(1);
      CacheServer.start(kind, 16L << 20).close();
      assertThat(folders(parent.pid())).as("removed by the next start").isEmpty();
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
      assertThat(folders(parent.pid())).isEmpty();
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
      List<Path> before = folders(ProcessHandle.current().pid());
      assertThatThrownBy(() -> CacheServer.start(kind, 16L << 20, port))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("127.0.0.1:" + port);
      assertThat(folders(ProcessHandle.current().pid())).isEqualTo(before);
    }
  }
}
