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
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A memcached or Redis process on a free port of 127.0.0.1, for one share: for experiments, tests,
 * and applications that want a cache outside their heap. It stores nothing on disk and ends when it
 * is closed or when this JVM ends, on Linux even after kill -9. Redis requires a random password;
 * memcached serves every user of this machine. Thread-safe.
 */
public final class CacheServer implements AutoCloseable {
  private static final long START_SECONDS = 10;
  private static final int ATTEMPTS = 5;
  private static final int ANSWER_MILLIS = 500;
  private static final int LONGEST_ANSWER = 200;
  private static final int RANDOM_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

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
  private final String password;
  private final Process process;
  private final ServerFolder folder;
  private final Thread hook;

  private CacheServer(
      Kind kind, InetSocketAddress address, String password, Process process, ServerFolder folder) {
    this.kind = kind;
    this.address = address;
    this.password = password;
    this.process = process;
    this.folder = folder;
    hook = new Thread(this::end, "manx-stop-" + process.pid());
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
    String password = kind == Kind.REDIS ? random() : "";
    ServerFolder folder = ServerFolder.create();
    CacheServer server = null;
    boolean up = false;
    try {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
      List<String> command = new ArrayList<>(List.of(program.toAbsolutePath().toString()));
      switch (kind) {
        case MEMCACHED -> command.addAll(memcached(bytes, port));
        // Not as arguments, which all users of this machine can read.
        case REDIS ->
            command.add(folder.write("redis.conf", redis(bytes, port, password)).toString());
      }
      Process process =
          ChildProcess.start(
              ChildProcess.program(command, folder.output()).directory(folder.path().toFile()),
              // KILL also ends a stopped process; a cache has no state to save.
              "KILL");
      server = new CacheServer(kind, address, password, process, folder);
      Runtime.getRuntime().addShutdownHook(server.hook);
      server.awaitAnswer();
      up = true;
      return server;
    } finally {
      if (!up) {
        if (server != null) {
          server.close();
        }
        folder.delete();
      }
    }
  }

  private static String random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static List<String> memcached(long bytes, int port) {
    return List.of(
        "-l",
        "127.0.0.1",
        "-p",
        Integer.toString(port),
        "-U",
        "0",
        "-t",
        "2",
        "-m",
        Long.toString(bytes >> 20),
        "-o",
        "slab_automove=2",
        // A memcached that runs as root must name its user; a switch to another user would undo the
        // death signal.
        "-u",
        System.getProperty("user.name"));
  }

  /**
   * The configuration of Redis, whose folder is its working directory. It loads a dump that it
   * finds there under this name even if it saves none: the folder is new, and the name random.
   */
  private static String redis(long bytes, int port, String password) {
    return String.join(
        "\n",
        "bind 127.0.0.1",
        "port " + port,
        "requirepass " + password,
        "daemonize no",
        "save \"\"",
        "appendonly no",
        "dbfilename " + random() + ".rdb",
        "maxmemory " + bytes,
        "maxmemory-policy allkeys-lru",
        "");
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
                + Files.readString(folder.output()).strip());
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
      String login = password.isEmpty() ? "" : "AUTH " + password + "\r\n";
      socket
          .getOutputStream()
          .write((login + kind.question + "\r\n").getBytes(StandardCharsets.US_ASCII));
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

  /**
   * The password that clients must send, as the user {@code default}; empty for memcached, which
   * has none.
   */
  public String password() {
    return password;
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether the process runs; after {@link #close} it does not. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Kills the process, waits for its end, and deletes its files. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the JVM is ending, and the hook does the same
    }
    end();
  }

  private void end() {
    process.destroyForcibly();
    try {
      process.onExit().get(START_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new UncheckedIOException(new IOException("process " + pid() + " does not end", e));
    } finally {
      folder.delete();
    }
  }
}
