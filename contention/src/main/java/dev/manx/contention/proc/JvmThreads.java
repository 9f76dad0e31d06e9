/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.proc;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * CPU time of the running service threads of a JVM, by thread.
 *
 * @param compilerSeconds of the just-in-time compilers
 * @param collectorSeconds of the garbage collector and of the VM thread, which runs its pauses
 */
public record JvmThreads(
    Map<String, Double> compilerSeconds, Map<String, Double> collectorSeconds) {
  // Names of HotSpot's threads, cut to 15 characters by Linux.
  private static final Pattern COMPILER = Pattern.compile("^C[12] Compiler");
  private static final Pattern COLLECTOR = Pattern.compile("^(GC Thread|G1 |VM Thread)");

  /** Reads them; empty if the process does not exist. */
  public static Optional<JvmThreads> of(long pid) {
    Map<String, Double> compilers = new HashMap<>();
    Map<String, Double> collectors = new HashMap<>();
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Proc.ROOT.resolve(pid + "/task"))) {
      for (Path thread : threads) {
        String name = name(thread);
        if (COMPILER.matcher(name).find()) {
          compilers.put(thread.getFileName().toString(), seconds(thread));
        } else if (COLLECTOR.matcher(name).find()) {
          collectors.put(thread.getFileName().toString(), seconds(thread));
        }
      }
      return Optional.of(new JvmThreads(compilers, collectors));
    } catch (IOException | DirectoryIteratorException e) {
      return Optional.empty();
    }
  }

  /** Empty if the thread has ended meanwhile. */
  private static String name(Path thread) {
    try {
      return Proc.read(thread.resolve("comm")).trim();
    } catch (IOException e) {
      return "";
    }
  }

  private static double seconds(Path thread) {
    try {
      return Long.parseLong(Proc.read(thread.resolve("schedstat")).split(" ", -1)[0]) / 1e9;
    } catch (IOException e) {
      return 0;
    }
  }
}
