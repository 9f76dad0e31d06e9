/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Writes, reads and removes the files of a local cluster. */
final class NodeFiles {
  private static final String LOGBACK =
      """
      <configuration>
        <appender name="FILE" class="ch.qos.logback.core.rolling.RollingFileAppender">
          <file>${cassandra.logdir}/system.log</file>
          <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
            <fileNamePattern>${cassandra.logdir}/system.log.%i</fileNamePattern>
            <maxIndex>1</maxIndex>
          </rollingPolicy>
          <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
            <maxFileSize>20MB</maxFileSize>
          </triggeringPolicy>
          <encoder><pattern>%-5level [%thread] %date{ISO8601} %F:%L - %msg%n</pattern></encoder>
        </appender>
        <root level="INFO"><appender-ref ref="FILE"/></root>
      </configuration>
      """;

  /** The file for {@code GossipingPropertyFileSnitch}. */
  static final String RACK = "cassandra-rackdc.properties";

  private static final String YAML = "cassandra.yaml";
  private static final String LOGGING = "logback.xml";

  /** Its name is deleted last: a folder whose removal was interrupted is still known. */
  private static final String OWNER = ".owner";

  /** The name in folders of earlier versions. */
  private static final String EARLIER_OWNER = "owner";

  /** The JVM's temporary files. */
  static final String TEMPORARY = "tmp";

  /** Marks a node's folder: those of other programs are not deleted. Its name is deleted last. */
  private static final String MARKER = ".manx-node";

  private NodeFiles() {}

  /** Writes the files that a node reads at its start; its data is kept. */
  static void write(ClusterSettings settings, Node node) throws IOException {
    Files.createDirectories(node.folder());
    // First: a node that is not yet whole is Manx's too.
    Files.writeString(
        node.folder().resolve(MARKER), "A node of Manx, deleted when its cluster starts anew.\n");
    Files.writeString(node.folder().resolve(YAML), CassandraYaml.of(settings, node));
    Files.createDirectories(node.folder().resolve("logs"));
    Files.createDirectories(node.folder().resolve(TEMPORARY));
    Files.writeString(node.folder().resolve(LOGGING), LOGBACK);
    Files.writeString(node.folder().resolve(RACK), settings.topology().properties(node.index()));
    if (settings.plugin()) {
      Files.writeString(node.folder().resolve("manx.yaml"), "plugin:\n  mode: off\n");
    }
  }

  /** Whether a node's folder is empty or missing, or was written by {@link #write}. */
  static boolean isOurs(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return Files.notExists(folder, LinkOption.NOFOLLOW_LINKS);
    }
    try (Stream<Path> files = Files.list(folder)) {
      return Files.exists(folder.resolve(MARKER))
          || files.findAny().isEmpty()
          || isOfEarlierVersion(folder);
    }
  }

  /** Earlier versions wrote no marker. */
  private static boolean isOfEarlierVersion(Path folder) throws IOException {
    return text(folder.resolve(YAML)).startsWith(CassandraYaml.NAME)
        || text(folder.resolve(LOGGING)).equals(LOGBACK);
  }

  private static String text(Path file) throws IOException {
    return Files.isRegularFile(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
  }

  /** Marks a temporary folder as used by this JVM. */
  static void own(Path folder) throws IOException {
    Files.writeString(
        folder.resolve(OWNER), ProcessHandle.current().pid() + " " + processNamespace());
  }

  /** Process ids of containers are counted apart; empty if the system has no namespaces. */
  private static String processNamespace() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  /** Removes temporary folders whose JVM was killed before it could. */
  static void removeLeftovers(Path work) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(work, "nodes-*")) {
      for (Path folder : folders) {
        removeLeftover(folder);
      }
    }
  }

  private static void removeLeftover(Path folder) throws IOException {
    try {
      if (isLeft(folder)) {
        delete(folder);
      }
    } catch (NoSuchFileException | NumberFormatException e) {
      // Another process or thread is creating or removing it.
    }
  }

  /** Whether its JVM has ended; a JVM of another container may not have. */
  private static boolean isLeft(Path folder) throws IOException {
    Path now = folder.resolve(OWNER);
    String[] owner =
        Files.readString(Files.exists(now) ? now : folder.resolve(EARLIER_OWNER)).split(" ", 2);
    return ProcessHandle.of(Long.parseLong(owner[0])).isEmpty()
        && (owner.length == 1 || owner[1].equals(processNamespace()));
  }

  /** The bytes in the node's log; before a start, those of earlier boots. */
  static long logBytes(Node node) {
    try {
      return Files.size(node.systemLog());
    } catch (IOException e) {
      // Not yet written.
      return 0;
    }
  }

  /**
   * Whether Manx said in the node's log that it leaves the node to stock.
   *
   * @param earlierBytes the log's bytes at the start of this boot, which are of earlier ones
   */
  static boolean stepsAside(Node node, long earlierBytes) {
    try (InputStream log = Files.newInputStream(node.systemLog())) {
      // A shorter log was begun anew since then.
      log.skipNBytes(logBytes(node) < earlierBytes ? 0 : earlierBytes);
      return new BufferedReader(new InputStreamReader(log, StandardCharsets.ISO_8859_1))
          .lines()
          .anyMatch(line -> line.contains("Manx steps aside"));
    } catch (IOException | UncheckedIOException e) {
      // Not yet written.
      return false;
    }
  }

  /**
   * The last lines of the node's log and of its output: the log ends before the JVM does, which
   * says in its output that it has run out of memory.
   */
  static String tail(Node node, int lines) {
    List<String> tails = new ArrayList<>();
    for (Path file : List.of(node.systemLog(), node.output())) {
      try {
        List<String> all = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        if (!all.isEmpty()) {
          tails.add(file + ":\n  " + String.join("\n  ", last(all, lines)));
        }
      } catch (IOException e) {
        // Not written yet, or not readable.
      }
    }
    return tails.isEmpty() ? "no log was written below " + node.folder() : String.join("\n", tails);
  }

  private static List<String> last(List<String> all, int lines) {
    return all.subList(Math.max(0, all.size() - lines), all.size());
  }

  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try {
      for (Path file : inOrderOfDeletion(folder)) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** A folder's contents before itself, and its marker or owner after the others. */
  static List<Path> inOrderOfDeletion(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
