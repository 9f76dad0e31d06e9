/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs the Java that would start a node. Blocking. */
final class JavaProbe {
  private static final String CHECKER = "dev.manx.cassandra.boot.ConfigCheck";
  private static final Pattern VERSION = Pattern.compile("version \"([^\"]+)\"");
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int NEEDED = 17;

  private final String command;
  private final long patienceNanos;

  JavaProbe(String command) {
    this(command, PATIENCE_NANOS);
  }

  /**
   * @param patienceNanos time limit of a process
   */
  JavaProbe(String command, long patienceNanos) {
    this.command = command;
    this.patienceNanos = patienceNanos;
  }

  /**
   * The output of a process.
   *
   * @param code its exit code; -1 if it did not start or did not end
   * @param text both of its output streams
   */
  record Said(int code, String text) {}

  /** The major version; 17 if it does not start. */
  int major() throws InterruptedException {
    return major(version().orElse("17"));
  }

  private static int major(String version) {
    Matcher number = Pattern.compile("^(?:1\\.)?(\\d{1,4})").matcher(version);
    return number.find() ? Integer.parseInt(number.group(1)) : NEEDED;
  }

  /** Whether a version is later than 17, the last that Cassandra 5.0 supports. */
  static boolean isLater(String version) {
    return major(version) > NEEDED;
  }

  /** The version, such as {@code 17.0.13}; empty if it does not start. */
  Optional<String> version() throws InterruptedException {
    Matcher matcher = VERSION.matcher(run(List.of("-version")).text());
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /**
   * Lets the plugin read a file with its own parser, including the policies of other jars in its
   * folder.
   *
   * @param jar the plugin; its folder is on the class path too
   * @param requestThreads of the node
   */
  Said readConfig(Path jar, Path file, int requestThreads) throws InterruptedException {
    String classpath = jar + File.pathSeparator + jar.resolveSibling("*");
    // A jar of an earlier version ignores the property.
    String threads = "-Dmanx.request-threads=" + requestThreads;
    return run(List.of(threads, "-cp", classpath, CHECKER, file.toString()));
  }

  private Said run(List<String> arguments) throws InterruptedException {
    List<String> line = new ArrayList<>(List.of(command));
    line.addAll(arguments);
    Process process;
    try {
      process = new ProcessBuilder(line).redirectErrorStream(true).start();
    } catch (IOException e) {
      return new Said(-1, e.getMessage());
    }
    CompletableFuture<String> text = new CompletableFuture<>();
    Thread reader = new Thread(() -> read(process, text), "manx-reads-java");
    reader.setDaemon(true);
    reader.start();
    try {
      // Bounded, because a grandchild process may keep the output open.
      String said = text.get(patienceNanos, TimeUnit.NANOSECONDS);
      return process.waitFor(patienceNanos, TimeUnit.NANOSECONDS)
          ? new Said(process.exitValue(), said)
          : new Said(-1, "it did not exit in time");
    } catch (TimeoutException e) {
      return new Said(-1, "it did not exit in time");
    } catch (ExecutionException e) {
      return new Said(-1, String.valueOf(e.getCause()));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static void read(Process process, CompletableFuture<String> text) {
    try {
      byte[] bytes = process.getInputStream().readAllBytes();
      text.complete(new String(bytes, StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      text.completeExceptionally(e);
    }
  }
}
