/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import dev.manx.local.cluster.ManxHome;
import dev.manx.local.cluster.NodeJava;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Cassandra's classes as a JVM has parsed and verified them (class-data sharing), which saves nodes
 * a third of the CPU time of their boot. A stock node writes the file when it ends. Later runs use
 * it too, until Cassandra's jars or Java change.
 */
final class ClassArchive {
  // The JVM's limit for a node with an agent is meant for production.
  private static final List<String> WITH_AGENT =
      List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+AllowArchivingWithJavaAgent");
  // A separate address, because it may run while others boot.
  private static final int HOST = 31;
  private static final long MOST_SECONDS = 120;
  private static List<String> options;
  private static volatile boolean late;

  private ClassArchive() {}

  /**
   * Options of nodes' JVMs; the first call writes the file if it is missing. The class path of
   * every node begins with Cassandra's, so that the file fits; a JVM that it does not fit loads all
   * classes itself.
   */
  static synchronized List<String> options() {
    if (options == null) {
      Path file = present();
      options =
          Files.exists(file)
              ? Stream.concat(WITH_AGENT.stream(), Stream.of("-XX:SharedArchiveFile=" + file))
                  .toList()
              : List.of();
    }
    return options;
  }

  /** Whether the machine was too busy to write or check the file in time. */
  static boolean isLate() {
    return late;
  }

  /** Returns the file, which is absent if it could not be written. */
  private static Path present() {
    Path folder = ManxHome.find().root().resolve(".manx/class-archive");
    try {
      Path file = Files.createDirectories(folder).resolve(name());
      if (!Files.exists(file)) {
        try (Stream<Path> earlier = Files.list(folder)) {
          for (Path each : earlier.toList()) {
            Files.delete(each);
          }
        }
        Path unfinished = folder.resolve("unfinished");
        if (written(unfinished) && isSound(unfinished)) {
          Files.move(unfinished, file);
        }
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String classPath() {
    return ManxHome.find().cassandraClasspath();
  }

  /**
   * Whether a JVM accepts a file, with all its checksums. One that was cut off, for example because
   * the disk was full, would end every node with a fatal error.
   */
  static boolean isSound(Path file) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(NodeJava.home().orElseThrow().resolve("bin/java").toString());
    line.addAll(WITH_AGENT);
    line.addAll(List.of("-Xshare:on", "-XX:+VerifySharedSpaces", "-XX:SharedArchiveFile=" + file));
    line.addAll(List.of("-XX:+UseSerialGC", "-XX:-CreateCoredumpOnCrash"));
    line.addAll(List.of("-XX:ErrorFile=" + file + ".error", "-cp", classPath(), "-version"));
    Process java =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      boolean ended = java.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        late = true;
      }
      return ended && java.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      java.destroyForcibly();
    }
  }

  /** A name for all on which the content depends. */
  private static String name() throws IOException {
    List<String> parts = new ArrayList<>();
    Path java = NodeJava.home().orElseThrow();
    parts.add(stamp(java.resolve("lib/modules")));
    for (String jar : classPath().split(File.pathSeparator, -1)) {
      parts.add(stamp(Path.of(jar)));
    }
    byte[] all = String.join("\n", parts).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(all) + ".jsa";
  }

  private static String stamp(Path file) throws IOException {
    return file.toRealPath() + " " + Files.size(file) + " " + Files.getLastModifiedTime(file);
  }

  /**
   * Boots a node without Manx, uses it a little, and has it end in an orderly way; returns whether
   * it did, in time.
   */
  private static boolean written(Path file) {
    List<String> writing =
        Stream.concat(WITH_AGENT.stream(), Stream.of("-XX:ArchiveClassesAtExit=" + file)).toList();
    try (OneNode node = OneNode.bootStock(HOST, Sooner.withoutArchive(writing))) {
      use();
      ProcessHandle process = ProcessHandle.of(node.cluster.pids()[0]).orElseThrow();
      process.destroy();
      process.onExit().get(MOST_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      late = true;
      return false;
    } catch (ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Statements for which a node loads classes. */
  private static void use() {
    try (CqlSession session = OneNode.session(HOST, null, null)) {
      session.execute(
          "CREATE KEYSPACE a WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE a.t (k int PRIMARY KEY, v int)");
      PreparedStatement insert = session.prepare("INSERT INTO a.t (k, v) VALUES (?, ?)");
      session.execute(insert.bind(1, 1));
      PreparedStatement multiget = session.prepare("SELECT k, v FROM a.t WHERE k IN ?");
      session.execute(multiget.bind(List.of(1, 2, 3))).all();
      session.execute("SELECT * FROM a.t").all();
      session.execute("SELECT * FROM system_views.settings").all();
      session.execute("ALTER TABLE a.t ADD more text");
      session.execute("DROP KEYSPACE a");
    }
  }
}
