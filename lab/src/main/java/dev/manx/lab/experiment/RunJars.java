/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.local.cluster.ManxHome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The jars with the arms' code: Manx's own, and the third parties' in {@code MANX_POLICIES}, of
 * which any arm may use policies. They stay the same during a run, and an interrupted run continues
 * only with the same jars: a revision does not show that files were edited later.
 */
final class RunJars {
  private static final String NAME = "policies of ";

  /** Records the jars of a run when it begins. */
  @FunctionalInterface
  interface Source {
    RunJars read() throws IOException;
  }

  private final UnchangedFile.Wait wait;
  private final List<UnchangedFile> all = new ArrayList<>();
  private final Map<String, String> policies = new TreeMap<>();
  private final Map<String, String> contents = new TreeMap<>();

  /**
   * Records the present contents of the jars.
   *
   * @param policies of third parties
   * @param own of Manx
   * @param wait for the end of a build
   */
  RunJars(List<Path> policies, List<Path> own, UnchangedFile.Wait wait) throws IOException {
    this.wait = wait;
    for (Path jar : policies) {
      add(NAME + jar.getFileName(), jar, this.policies);
    }
    contents.putAll(this.policies);
    for (Path jar : own) {
      add(jar.getFileName().toString(), jar, contents);
    }
  }

  /** The jars of an experiment, whose nodes may load further jars of Manx. */
  static RunJars of(Experiment.Stage<?, ?> stage, ManxHome home) throws IOException {
    String classPath = System.getProperty("java.class.path", "");
    return new RunJars(
        home.policies(), own(classPath, stage.jarsOfNodes()), TimeUnit.NANOSECONDS::sleep);
  }

  private void add(String name, Path jar, Map<String, String> to) throws IOException {
    UnchangedFile file = new UnchangedFile(jar, wait);
    all.add(file);
    // Two jars may have the same name in different folders.
    to.merge(name, file.contents(), (one, other) -> one + ", and " + other);
  }

  /**
   * Manx's own jars on a class path, as the script starts the lab, and those of nodes. Missing jars
   * are left out: tests run classes from folders.
   *
   * @param ofNodes jars that the nodes of the experiment load
   */
  static List<Path> own(String classPath, List<Path> ofNodes) {
    return Stream.concat(
            Stream.of(classPath.split(File.pathSeparator, -1)).map(Path::of), ofNodes.stream())
        .filter(file -> file.toString().endsWith(".jar"))
        .filter(file -> file.getFileName().toString().startsWith("manx-"))
        .filter(Files::isRegularFile)
        .distinct()
        .toList();
  }

  /** Size and checksum of the third parties' jars, by a name with the file's. */
  Map<String, String> policies() {
    return policies;
  }

  /** Size and checksum of all jars. */
  Map<String, String> contents() {
    return contents;
  }

  /**
   * Checks the jars before a turn.
   *
   * @throws ReplacedFileException if one was replaced
   */
  void check() throws InterruptedException {
    for (UnchangedFile file : all) {
      file.check();
    }
  }
}
