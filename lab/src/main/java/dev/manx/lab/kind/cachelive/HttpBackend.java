/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.Closer;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.load.ShutdownHook;
import dev.manx.local.cluster.Spawner;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** A {@link PageService} in a separate JVM, and its client. */
final class HttpBackend extends BlockingBackend implements CalibratedBackend {
  private static final long START_SECONDS = 60;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Process process;
  private final ShutdownHook hook;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final int port;
  private final int controlPort;
  private volatile int rounds;

  HttpBackend(BackendPlan plan, Path folder) throws IOException, InterruptedException {
    super(plan);
    Path ready = folder.resolve(plan.name() + ".port");
    Path output = folder.resolve(plan.name() + ".log");
    process =
        Spawner.start(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dsun.net.httpserver.nodelay=true",
                "-cp",
                System.getProperty("java.class.path"),
                PageService.class.getName(),
                Integer.toString(plan.keys()),
                Integer.toString(plan.valueBytes()),
                Long.toString(plan.workNanos()),
                Integer.toString(plan.threads()),
                ready.toString()),
            true,
            output);
    hook = new ShutdownHook("manx-stop-" + plan.name(), process::destroyForcibly);
    hook.add();
    try (Closer<RuntimeException> undo = new Closer<>()) {
      undo.add(this::close);
      String[] said = await(ready, output).split(" ", 3);
      port = Integer.parseInt(said[0]);
      controlPort = Integer.parseInt(said[1]);
      rounds = Integer.parseInt(said[2]);
      undo.release();
    }
  }

  private String await(Path ready, Path output) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!Files.exists(ready)) {
      if (!process.isAlive() || System.nanoTime() - deadline > 0) {
        throw new RunException(
            "the HTTP service " + plan().name() + " does not start: " + Files.readString(output));
      }
      Thread.sleep(20);
    }
    return Files.readString(ready);
  }

  @Override
  public boolean alive() {
    return process.isAlive();
  }

  /** Its process, for external limits. */
  long pid() {
    return process.pid();
  }

  /** Sets its gate; infinity opens it. */
  void limit(double cores) throws IOException {
    set("/limit?" + cores);
  }

  @Override
  public int work() {
    return rounds;
  }

  @Override
  public void work(int known) throws IOException {
    set("/rounds?" + known);
    rounds = known;
  }

  private void set(String path) throws IOException {
    try {
      get(controlPort, path);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private byte[] get(int at, String path) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer =
        http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at + path))
                .timeout(TIMEOUT)
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException(plan().name() + " answers " + answer.statusCode());
    }
    return answer.body();
  }

  @Override
  Read read() {
    return keys -> {
      String list =
          StreamSupport.stream(keys.spliterator(), false)
              .map(key -> Integer.toString(key))
              .collect(Collectors.joining(","));
      byte[] body = get(port, "/pages?" + list);
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(body));
      Map<Integer, byte[]> found = new HashMap<>();
      while (in.available() > 0) {
        int key = in.readInt();
        found.put(key, in.readNBytes(in.readInt()));
      }
      return found;
    };
  }

  @Override
  public String describe() {
    return "HTTP service in its own process, "
        + rounds
        + " rounds of SHA-256 a value, "
        + plan().threads()
        + " threads";
  }

  @Override
  public void close() {
    hook.remove();
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
