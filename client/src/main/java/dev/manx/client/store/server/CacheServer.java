/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A memcached or Redis process on a free port of 127.0.0.1, for one share: for experiments, tests,
 * and applications that want a cache outside their heap. It stores nothing on disk and ends when it
 * is closed or when this JVM ends, on Linux even after kill -9. Thread-safe.
 */
public final class CacheServer implements AutoCloseable {
  private static final long START_SECONDS = 10;
  private static final int ATTEMPTS = 5;
  private static final int ANSWER_MILLIS = 500;
  private static final int LONGEST_ANSWER = 200;

  /** The kind of server. */
  @SuppressWarnings("ImmutableEnumChecker") // its list is never changed
  public enum Kind {
    /** memcached 1.6, with pages that move between size classes. */
    MEMCACHED(List.of("memcached"), "stats", "STAT pid "),
    /** Redis, or Valkey if Redis is not installed. */
    REDIS(List.of("redis-server", "valkey-server"), "INFO server", "process_id:");

    private final List<String> programs;
    private final String question;
    private final String pidPrefix;

    Kind(List<String> programs, String question, String pidPrefix) {
      this.programs = programs;
      this.question = question;
      this.pidPrefix = pidPrefix;
    }

    /** The program's path, if installed. */
    public java.util.Optional<Path> program() {
      String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
      for (String program : programs) {
        for (String folder : path.split(":", -1)) {
          Path file = Path.of(folder.isEmpty() ? "." : folder, program);
          if (Files.isExecutable(file)) {
            return java.util.Optional.of(file);
          }
        }
      }
      return java.util.Optional.empty();
    }
  }

  private final Kind kind;
  private final InetSocketAddress address;
  private final Process process;
  private final Path output;
  private final Thread hook;

  private CacheServer(Kind kind, InetSocketAddress address, Process process, Path output) {
    this.kind = kind;
    this.address = address;
    this.process = process;
    this.output = output;
    hook = new Thread(process::destroyForcibly, "manx-stop-" + process.pid());
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param bytes its first limit; whole MiB for memcached
   * @throws IOException if the program is missing or does not start; the message names the package,
   *     or quotes the output
   */
  public static CacheServer start(Kind kind, long bytes) throws IOException {
    IOException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        return start(kind, bytes, freePort());
      } catch (IOException e) {
        // Another process may have taken the port in the meantime.
        last = e;
      }
    }
    throw last;
  }

  /** Starts a server on a given port of 127.0.0.1. */
  public static CacheServer start(Kind kind, long bytes, int port) throws IOException {
    Path program =
        kind.program()
            .orElseThrow(
                () ->
                    new IOException(
                        "cannot find "
                            + String.join(" or ", kind.programs)
                            + " on the PATH; on Debian: sudo apt-get install "
                            + kind.programs.get(0)));
    Path output = Files.createTempFile("manx-cache-", ".log");
    CacheServer server = null;
    try {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
      Process process =
          ChildProcess.start(
              // KILL also ends a stopped process; a cache has no state to save.
              ChildProcess.program(command(kind, program, bytes, port), output), "KILL");
      server = new CacheServer(kind, address, process, output);
      Runtime.getRuntime().addShutdownHook(server.hook);
      server.awaitAnswer();
      CacheServer up = server;
      server = null;
      return up;
    } finally {
      if (server != null) {
        server.close();
      }
      // The process keeps its open file while it lives.
      Files.deleteIfExists(output);
    }
  }

  private static List<String> command(Kind kind, Path program, long bytes, int port) {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    String number = Integer.toString(port);
    switch (kind) {
      case MEMCACHED ->
          command.addAll(
              List.of(
                  "-l",
                  "127.0.0.1",
                  "-p",
                  number,
                  "-U",
                  "0",
                  "-t",
                  "2",
                  "-m",
                  Long.toString(bytes >> 20),
                  "-o",
                  "slab_automove=2",
                  // Run as root, it must name its user; a switch to another user would undo the
                  // death signal.
                  "-u",
                  System.getProperty("user.name")));
      case REDIS ->
          command.addAll(
              List.of(
                  "--bind",
                  "127.0.0.1",
                  "--port",
                  number,
                  "--daemonize",
                  "no",
                  "--save",
                  "",
                  "--appendonly",
                  "no",
                  "--dir",
                  "/tmp",
                  "--maxmemory",
                  Long.toString(bytes),
                  "--maxmemory-policy",
                  "allkeys-lru"));
    }
    return command;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket =
        new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
      return socket.getLocalPort();
    }
  }

  private void awaitAnswer() throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() - deadline > 0) {
        throw new IOException(
            kind.programs.get(0)
                + " does not start on "
                + address
                + ": "
                + Files.readString(output).strip());
      }
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  /** Whether this process answers, rather than one that had the port before. */
  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.connect(address, ANSWER_MILLIS);
      socket.getOutputStream().write((kind.question + "\r\n").getBytes(StandardCharsets.US_ASCII));
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      for (int line = 0; line < LONGEST_ANSWER; line++) {
        String said = in.readLine();
        if (said == null) {
          return false;
        }
        if (said.startsWith(kind.pidPrefix)) {
          return said.substring(kind.pidPrefix.length()).strip().equals(Long.toString(pid()));
        }
      }
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  /** The listen address. */
  public InetSocketAddress address() {
    return address;
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /** Kills the process and waits for its end. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the JVM is ending, and the hook does the same
    }
    process.destroyForcibly();
    try {
      process.onExit().get(START_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new UncheckedIOException(new IOException("process " + pid() + " does not end", e));
    }
  }
}
