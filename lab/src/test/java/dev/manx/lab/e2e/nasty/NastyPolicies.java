/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e.nasty;

import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.spi.PolicyProvider;
import dev.manx.policy.strategy.Blueprint;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Policies that violate the rules, which nodes must tolerate. */
public final class NastyPolicies implements PolicyProvider {
  // So that no compiler removes the allocation.
  private static volatile byte[] garbage;

  @Override
  public List<PolicyInfo> policies() {
    return List.of(
        PolicyInfo.named("select.nasty", "ranks badly")
            .settings(
                Setting.word(
                    "does",
                    "what",
                    "nonsense",
                    "duplicate",
                    "foreign",
                    "throw",
                    "overflow",
                    "allocate",
                    "block",
                    "block-tick",
                    "block-sent",
                    "block-again",
                    "throw-sent"),
                Setting.size(
                    Blueprint.MEMORY, "1KiB", "1KiB", "1GiB", "what it says that it will hold"))
            .at(Place.COORDINATOR)
            .make(settings -> new NastySelector(settings.word("does"))),
        PolicyInfo.named("order.nasty", "orders badly")
            .settings(
                Setting.word(
                    "does",
                    "what",
                    "allocate",
                    "block",
                    "block-offer",
                    "nothing",
                    "throw",
                    "throw-when-made",
                    "linger-when-made-again"))
            .at(Place.REPLICA)
            .make(settings -> new NastyOrder<>(settings.word("does"))),
        PolicyInfo.named("oracle.size-nasty", "guesses badly")
            .settings(Setting.word("does", "what", "block", "throw", "block-again", "block-fill"))
            .at(Place.COORDINATOR)
            .make(settings -> new NastyOracle(settings.word("does"))));
  }

  /** Waits forever, even if the thread is interrupted. */
  static void block() {
    while (true) {
      try {
        Thread.sleep(Long.MAX_VALUE);
      } catch (InterruptedException e) {
        // it blocks
      }
    }
  }

  /** A mebibyte, which becomes garbage at the next call. */
  static void allocate() {
    garbage = new byte[1 << 20];
  }

  /** Six seconds, far beyond any wait. */
  static void linger() {
    try {
      Thread.sleep(6_000);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A third party's jar with these policies. */
  public static Path jar(Path folder) {
    try {
      Files.createDirectories(folder);
      Path jar = folder.resolve("nasty-policies.jar");
      Path classes =
          Path.of(
              NastyPolicies.class.getProtectionDomain().getCodeSource().getLocation().getPath());
      Path own = classes.resolve(NastyPolicies.class.getPackageName().replace('.', '/'));
      try (OutputStream out = Files.newOutputStream(jar);
          JarOutputStream entries = new JarOutputStream(out);
          Stream<Path> files = Files.list(own)) {
        for (Path file : files.sorted().toList()) {
          entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
          Files.copy(file, entries);
          entries.closeEntry();
        }
        entries.putNextEntry(new JarEntry("META-INF/services/" + PolicyProvider.class.getName()));
        entries.write(NastyPolicies.class.getName().getBytes(StandardCharsets.UTF_8));
        entries.closeEntry();
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
