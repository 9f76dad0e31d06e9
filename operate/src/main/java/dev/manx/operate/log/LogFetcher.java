/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.log;

import dev.manx.load.Pace;
import dev.manx.load.Pacer;
import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.ConnectException;
import dev.manx.load.connect.FileReasons;
import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.look.NodeState;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.record.DecisionLog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Fetches the decision logs of nodes over CQL, part by part from {@code manx.decision_log}: at most
 * {@link #MOST_BYTES_PER_SECOND} from each node, one part in memory.
 */
public final class LogFetcher {
  /** Rate limit for each node. */
  static final long MOST_BYTES_PER_SECOND = 8L << 20;

  /** Part size that nodes use. */
  static final int PART_BYTES = 64 << 10;

  private static final String PART = "SELECT bytes FROM manx.decision_log WHERE part = ?";
  private static final int WAITS_FOR_END = 20;
  private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Cluster cluster;
  private final Path folder;

  /**
   * A log on this machine.
   *
   * @param node its node
   * @param file its file
   * @param bytes its size
   * @param whole whether it includes its last line
   */
  public record Fetched(String node, Path file, long bytes, boolean whole) {}

  /**
   * @param folder target folder, with one file for each node; created if missing
   */
  public LogFetcher(Cluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  /** Fetches the log of each node, whenever it was recorded. */
  public List<Fetched> fetch(List<Member> nodes) {
    return fetch(nodes, Map.of());
  }

  /**
   * Fetches the log of each node, concurrently.
   *
   * @param begun the earliest start of a node's log, by the node's clock; any if missing
   * @return one for each node, in their order
   * @throws ConnectException if a node is still recording, could not record, has no log, or an
   *     earlier one, or cannot be reached, or a file cannot be written; names every such node, and
   *     keeps no incompletely fetched log
   */
  public List<Fetched> fetch(List<Member> nodes, Map<Member, Instant> begun) {
    List<String> not =
        cluster.ask(nodes, node -> hindrance(node, begun.get(node))).stream()
            .filter(why -> !why.isEmpty())
            .toList();
    if (!not.isEmpty()) {
      throw new ConnectException("nothing was fetched:\n  " + String.join("\n  ", not));
    }
    create(folder);
    return cluster.ask(nodes, this::fetched);
  }

  /**
   * Creates the target folder, so that one that cannot be written to is found before a recording.
   *
   * @throws ConnectException if it cannot be created or written to
   */
  public static void create(Path folder) {
    try {
      Files.createDirectories(folder);
      if (!Files.isWritable(folder)) {
        throw new AccessDeniedException(folder.toString());
      }
    } catch (FileAlreadyExistsException e) {
      throw new ConnectException("nothing was fetched: " + folder + " is not a folder", e);
    } catch (IOException e) {
      throw new ConnectException(
          "nothing was fetched: logs cannot be written to " + folder + ": " + FileReasons.why(e),
          e);
    }
  }

  /** Why a node's log cannot be fetched; empty if it can. */
  private static String hindrance(Member node, Instant begun) {
    NodeState state = NodeState.read(node);
    String recording = hindrance(state);
    if (!recording.isEmpty()) {
      return recording;
    }
    try {
      ByteBuffer first = part(node, 0);
      return first == null
          ? state.node() + " has no decision log: record one first with ./manx ctl record requests"
          : earlier(state.node(), first, begun);
    } catch (NodeException e) {
      return state.node() + " " + why(e, state);
    }
  }

  static String hindrance(NodeState state) {
    if (!state.isPresent()) {
      return state.node() + ": " + state.why();
    }
    String record = state.row("record");
    if (record.startsWith("on:")) {
      return state.node() + " is still recording: end it first with ./manx ctl record off";
    }
    // The file may be of an earlier recording, or end anywhere.
    return record.startsWith("failed")
        ? state.node()
            + " could not record: "
            + record
            + "; record again, or copy the file yourself"
        : "";
  }

  /**
   * Whether a log is of an earlier recording, in words; empty if not.
   *
   * @param first its beginning
   * @param begun the earliest start; null for any
   */
  static String earlier(String node, ByteBuffer first, Instant begun) {
    if (begun == null) {
      return "";
    }
    try {
      String started = new DecisionLog(node, first.duplicate()).head().about().get("started");
      return Instant.parse(started).isBefore(begun)
          ? node
              + " has an older log only, recorded from "
              + started
              + " on, before this recording began at "
              + begun
              + ": record again, or fetch it without --record"
          : "";
    } catch (ConfigException | DateTimeParseException e) {
      return node + " has a log whose start is not known: " + e.getMessage();
    }
  }

  private static String why(NodeException e, NodeState state) {
    return switch (e.kind()) {
      case ABSENT ->
          "has Manx "
              + state.version()
              + ", which does not support fetching: upgrade it, or copy the file yourself ("
              + state.row("record")
              + ")";
      case FORBIDDEN ->
          "does not let this user read its log; a superuser can grant it: GRANT SELECT ON TABLE"
              + " manx.decision_log TO ... ("
              + e.getMessage()
              + ")";
      case UNREACHABLE, UNANSWERED, REFUSED -> e.getMessage();
    };
  }

  /** A part; null if the log ends before it. */
  private static ByteBuffer part(Member node, int part) {
    List<Map<String, Object>> rows = node.rows(PART, part);
    return rows.isEmpty() ? null : (ByteBuffer) rows.get(0).get("bytes");
  }

  private Fetched fetched(Member node) {
    String name = node.address().brief();
    Path file = folder.resolve(name.replace(':', '_') + ".log");
    Path unfinished = folder.resolve(file.getFileName() + ".unfinished");
    try {
      boolean whole = copy(node, unfinished);
      Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
      return new Fetched(name, file, Files.size(file), whole);
    } catch (NodeException e) {
      throw new ConnectException("the log of " + name + " could not be fetched: " + e.getMessage());
    } catch (IOException e) {
      throw new ConnectException(
          "the log of " + name + " cannot be written to " + file + ": " + FileReasons.why(e), e);
    } finally {
      delete(unfinished);
    }
  }

  /** Copies all parts; returns whether they include the last line. */
  private static boolean copy(Member node, Path to) throws IOException {
    // The rate is not averaged since the start: after a pause of the node there must be no burst.
    Pace pace = new Pace(Pacer.SYSTEM, MOST_BYTES_PER_SECOND / (double) PART_BYTES);
    int waits = 0;
    byte[] first = null;
    byte[] last = {};
    try (OutputStream out = ownersOnly(to)) {
      for (int number = 0; ; number++) {
        pace.await();
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("interrupted");
        }
        byte[] bytes = bytes(part(node, number));
        // The node is still writing data that was in memory when the recording ended.
        while (bytes.length < PART_BYTES && !ends(last, bytes) && waits++ < WAITS_FOR_END) {
          LockSupport.parkNanos(WAIT_NANOS);
          bytes = bytes(part(node, number));
        }
        out.write(bytes);
        first = first == null ? bytes : first;
        if (bytes.length < PART_BYTES) {
          unchanged(node, first);
          return ends(last, bytes);
        }
        last = bytes;
      }
    }
  }

  /**
   * Creates a file that only this user can read, where the file system has permissions: a log
   * contains tokens of keys. Replaces what an interrupted transfer left.
   */
  static OutputStream ownersOnly(Path file) throws IOException {
    Files.deleteIfExists(file);
    Path folder = file.toAbsolutePath().getParent();
    Path created =
        Files.getFileStore(folder).supportsFileAttributeView("posix")
            ? Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
            : Files.createFile(file);
    return Files.newOutputStream(created);
  }

  /** Whether the last line of two parts ends a log. */
  private static boolean ends(byte[] before, byte[] last) {
    String text =
        new String(before, StandardCharsets.UTF_8) + new String(last, StandardCharsets.UTF_8);
    return text.endsWith("\n")
        && text.startsWith("E ", text.lastIndexOf('\n', text.length() - 2) + 1);
  }

  private static byte[] bytes(ByteBuffer part) {
    if (part == null) {
      return new byte[0];
    }
    byte[] bytes = new byte[part.remaining()];
    part.duplicate().get(bytes);
    return bytes;
  }

  private static void unchanged(Member node, byte[] first) {
    byte[] now = bytes(part(node, 0));
    if (!ByteBuffer.wrap(now).equals(ByteBuffer.wrap(first))) {
      throw new ConnectException(
          node.address().brief() + " started another log during the transfer; fetch again");
    }
  }

  private static void delete(Path unfinished) {
    try {
      Files.deleteIfExists(unfinished);
    } catch (IOException e) {
      // reported as truncated
    }
  }
}
