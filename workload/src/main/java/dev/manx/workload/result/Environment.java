/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The environment of an experiment, written as {@code environment.json}.
 *
 * @param date start of the experiment, ISO 8601 in UTC
 * @param cores processors the JVM may use
 * @param memoryBytes the machine's memory, 0 where unknown
 * @param os name and architecture of the operating system
 * @param kernel its kernel release
 * @param cpu the processor's model, empty where unknown
 * @param jvm the JVM's name and version
 * @param revision the project's git revision, empty where unknown
 * @param settings further settings to show, for example those of the driver
 */
public record Environment(
    String date,
    int cores,
    long memoryBytes,
    String os,
    String kernel,
    String cpu,
    String jvm,
    String revision,
    Map<String, String> settings) {
  /** The file's name in a result directory. */
  public static final String FILE_NAME = "environment.json";

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Copies the settings, sorted by name. */
  public Environment {
    settings = Collections.unmodifiableMap(new TreeMap<>(settings));
  }

  /** Describes this machine. */
  public static Environment capture(Instant now, String revision, Map<String, String> settings) {
    return new Environment(
        now.toString(),
        Runtime.getRuntime().availableProcessors(),
        readMemoryBytes(),
        System.getProperty("os.name") + " " + System.getProperty("os.arch"),
        System.getProperty("os.version"),
        procValue("/proc/cpuinfo", "model name"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
        revision,
        settings);
  }

  /** Writes the file into a result directory. */
  public void write(Path directory) throws IOException {
    Files.writeString(
        directory.resolve(FILE_NAME), JSON.writeValueAsString(this) + "\n", StandardCharsets.UTF_8);
  }

  /** Reads the file of a result directory; an unknown field is an error. */
  public static Environment read(Path directory) throws IOException {
    return JSON.readValue(directory.resolve(FILE_NAME).toFile(), Environment.class);
  }

  /** Reads {@code environment.json} from a result directory; empty if there is no such file. */
  public static Optional<Environment> readIfPresent(Path directory) throws IOException {
    return Files.exists(directory.resolve(FILE_NAME))
        ? Optional.of(read(directory))
        : Optional.empty();
  }

  private static long readMemoryBytes() {
    String text = procValue("/proc/meminfo", "MemTotal").replaceAll("[^0-9]", "");
    return text.isEmpty() ? 0 : Long.parseLong(text) * 1024;
  }

  private static String procValue(String file, String name) {
    try (Stream<String> lines = Files.lines(Path.of(file), StandardCharsets.UTF_8)) {
      return lines
          .filter(line -> line.startsWith(name))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
