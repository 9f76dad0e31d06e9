/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import dev.manx.contention.proc.Proc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Records on disk, in advance, the changes of a squeeze: each thread's original settings and the
 * new ones. One file for each squeezed process, which also prevents a second squeeze of it. Deleted
 * once everything is restored. Written by one thread; any may ask for the content.
 */
final class SqueezeJournal implements AutoCloseable {
  private static final String HEAD = "manx-squeeze 2";
  private static final int HEAD_LINES = 5;
  private static final long LONG_AGO_MILLIS = 10_000;
  private static final String ENDING = ".squeeze";

  private final Path file;
  private final FileChannel out;
  // The guard restores by it even if the file is gone.
  private volatile Content content;

  /** The original settings of one thread. */
  record Original(int tid, long startTicks, int nice, String cpus) {
    private List<Object> settings() {
      return List.of(nice, cpus);
    }
  }

  /**
   * The content of a journal.
   *
   * @param bootId of the boot in which it was written
   * @param namespace of the process ids in it
   * @param pid the squeezed process
   * @param startTicks its start time
   * @param guardPid the process that restores at the end
   * @param guardStartTicks its start time
   * @param cpus the cores set on every thread; empty for none
   * @param nice the nice level set on some threads
   * @param sinceTicks time before which nothing was changed
   * @param originals by thread id; the process's first thread comes first
   * @param boosted threads with that nice level
   */
  record Content(
      String bootId,
      String namespace,
      long pid,
      long startTicks,
      long guardPid,
      long guardStartTicks,
      String cpus,
      int nice,
      long sinceTicks,
      Map<Integer, Original> originals,
      Set<Integer> boosted) {
    /** Copies the collections. */
    Content {
      originals = Collections.unmodifiableMap(new LinkedHashMap<>(originals));
      boosted = Set.copyOf(boosted);
    }

    /** The settings that most threads had: a thread created since then should have them too. */
    Original usual() {
      Map<List<Object>, Integer> counts = new LinkedHashMap<>();
      originals.values().forEach(one -> counts.merge(one.settings(), 1, Integer::sum));
      int most = Collections.max(counts.values());
      return originals.values().stream()
          .filter(one -> counts.get(one.settings()) == most)
          .findFirst()
          .orElseThrow();
    }

    /** Whether the squeezed process is still alive. */
    boolean targetLives() {
      return isHere() && Proc.isAlive(pid, startTicks);
    }

    /** Whether the guard that will restore it is alive. */
    boolean guardLives() {
      return isHere() && Proc.isAlive(guardPid, guardStartTicks);
    }

    private boolean isHere() {
      return bootId.equals(Proc.bootId()) && !isElsewhere();
    }

    /** Whether its process ids are of another namespace, so that they mean nothing here. */
    boolean isElsewhere() {
      return bootId.equals(Proc.bootId()) && !namespace.equals(Proc.pidNamespace());
    }

    /** The same changes to a later process with this id. */
    Content ofProcess(long newStartTicks) {
      return new Content(
          bootId,
          namespace,
          pid,
          newStartTicks,
          guardPid,
          guardStartTicks,
          cpus,
          nice,
          sinceTicks,
          originals,
          boosted);
    }

    private Content with(Map<Integer, Original> newOriginals, Set<Integer> newBoosted) {
      return new Content(
          bootId,
          namespace,
          pid,
          startTicks,
          guardPid,
          guardStartTicks,
          cpus,
          nice,
          sinceTicks,
          newOriginals,
          newBoosted);
    }
  }

  private SqueezeJournal(Path file, FileChannel out, Content content) {
    this.file = file;
    this.out = out;
    this.content = content;
  }

  /** Where a process's journal is. */
  static Path file(Path folder, long pid) {
    return folder.resolve(pid + ENDING);
  }

  /** All journals of a folder; none if the folder does not exist. */
  static List<Path> all(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /**
   * Creates a journal.
   *
   * @param others folders in which other users' squeezes have theirs
   * @throws SqueezeException if the process already has one
   */
  static SqueezeJournal create(
      Path folder, List<Path> others, long pid, long startTicks, String cpus, int nice)
      throws IOException {
    for (Path other : others) {
      Path file = file(other, pid);
      if (!other.equals(folder) && isOf(file, startTicks)) {
        throw squeezed(pid, file, null);
      }
    }
    Files.createDirectories(folder);
    Path file = file(folder, pid);
    long self = ProcessHandle.current().pid();
    long selfTicks = Proc.process(self).orElseThrow().startTicks();
    Content nothingYet =
        new Content(
            Proc.bootId(),
            Proc.pidNamespace(),
            pid,
            startTicks,
            self,
            selfTicks,
            cpus,
            nice,
            // Some containers show their own uptime, but start times of the machine.
            Math.max(selfTicks, Proc.ticksSinceBoot()),
            Map.of(),
            Set.of());
    try {
      FileChannel out =
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      return headed(new SqueezeJournal(file, out, nothingYet));
    } catch (FileAlreadyExistsException e) {
      throw squeezed(pid, file, e);
    }
  }

  private static SqueezeException squeezed(long pid, Path file, IOException cause) {
    return new SqueezeException(
        "process "
            + pid
            + " is already being squeezed, or was not completely restored ("
            + file
            + "): wait, or run ./manx contention restore",
        cause);
  }

  /** Whether a file is the journal of a process that is alive, not of an earlier one of its id. */
  private static boolean isOf(Path file, long startTicks) {
    try {
      Content content = read(file);
      return content.startTicks == startTicks && content.targetLives();
    } catch (IOException e) {
      // There is none, or this user may not read it.
      return false;
    }
  }

  /** Writes its first lines; without them, on a full disk for example, there is no journal. */
  private static SqueezeJournal headed(SqueezeJournal journal) throws IOException {
    boolean written = false;
    try {
      Content head = journal.content;
      journal.write(
          List.of(
              HEAD,
              "boot " + head.bootId() + " " + head.namespace(),
              "target " + head.pid() + " " + head.startTicks(),
              "guard " + head.guardPid() + " " + head.guardStartTicks(),
              "set "
                  + (head.cpus().isEmpty() ? "-" : head.cpus())
                  + " "
                  + head.nice()
                  + " "
                  + head.sinceTicks()));
      written = true;
      return journal;
    } finally {
      if (!written) {
        journal.close();
        Files.delete(journal.file);
      }
    }
  }

  /** Records the original settings of threads. */
  void originals(List<Original> threads) throws IOException {
    write(
        threads.stream()
            .map(t -> "thread " + t.tid() + " " + t.startTicks() + " " + t.nice() + " " + t.cpus())
            .toList());
    Map<Integer, Original> all = new LinkedHashMap<>(content.originals());
    threads.forEach(thread -> all.put(thread.tid(), thread));
    content = content.with(all, content.boosted());
  }

  /** Records which threads get the nice level. */
  void boosted(List<Integer> tids) throws IOException {
    write(tids.stream().map(tid -> "boosted " + tid).toList());
    Set<Integer> all = new HashSet<>(content.boosted());
    all.addAll(tids);
    content = content.with(content.originals(), all);
  }

  /** Writes lines; they are on disk when it returns. */
  private void write(List<String> lines) throws IOException {
    if (lines.isEmpty()) {
      return;
    }
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(String.join("\n", lines) + "\n");
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
    out.force(true);
  }

  Path file() {
    return file;
  }

  /** What has been written so far. */
  Content content() {
    return content;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  /**
   * Whether its writer ended before the first lines were complete, and so before any change. A
   * guard that has just started is writing them.
   */
  static boolean isAbandoned(Path file) throws IOException {
    String text = Files.readString(file);
    boolean begun = text.startsWith(HEAD + "\n") || (HEAD + "\n").startsWith(text);
    long ageMillis = System.currentTimeMillis() - Files.getLastModifiedTime(file).toMillis();
    boolean headless = text.chars().filter(letter -> letter == '\n').count() < HEAD_LINES;
    return begun && headless && ageMillis > LONG_AGO_MILLIS;
  }

  /**
   * Reads a journal. A truncated last line is ignored: its change was not yet made.
   *
   * @throws IOException if it cannot be read or is not a journal of this version
   */
  static Content read(Path file) throws IOException {
    String text = Files.readString(file);
    List<String> lines =
        new ArrayList<>(text.substring(0, text.lastIndexOf('\n') + 1).lines().toList());
    if (lines.size() < HEAD_LINES || !lines.get(0).equals(HEAD)) {
      throw new IOException(
          file
              + " is not a complete journal of this version; if an earlier version wrote it, run"
              + " that version's ./manx contention restore, or give the process its cores (taskset"
              + " -a -c -p CORES PID) and delete the file");
    }
    Map<Integer, Original> originals = new LinkedHashMap<>();
    Set<Integer> boosted = new HashSet<>();
    try {
      String[] boot = lines.get(1).split(" ", -1);
      String[] target = lines.get(2).split(" ", -1);
      String[] guard = lines.get(3).split(" ", -1);
      String[] set = lines.get(4).split(" ", -1);
      for (String line : lines.subList(HEAD_LINES, lines.size())) {
        String[] words = line.split(" ", -1);
        int tid = Integer.parseInt(words[1]);
        if (words[0].equals("boosted")) {
          boosted.add(tid);
        } else {
          originals.put(
              tid,
              new Original(tid, Long.parseLong(words[2]), Integer.parseInt(words[3]), words[4]));
        }
      }
      return new Content(
          boot[1],
          boot[2],
          Long.parseLong(target[1]),
          Long.parseLong(target[2]),
          Long.parseLong(guard[1]),
          Long.parseLong(guard[2]),
          set[1].equals("-") ? "" : set[1],
          Integer.parseInt(set[2]),
          Long.parseLong(set[3]),
          originals,
          boosted);
    } catch (RuntimeException e) {
      throw new IOException(file + " is damaged: " + e.getMessage(), e);
    }
  }
}
