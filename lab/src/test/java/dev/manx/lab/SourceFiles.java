/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The files of this project in a folder, without those that tools make. Their folders are not
 * entered: another module, or a node, may write and delete files there meanwhile.
 */
public final class SourceFiles {
  private static final Set<String> MADE_BY_TOOLS = Set.of("target", ".git", ".manx", "manx-out");

  private SourceFiles() {}

  /** All of them, sorted. */
  public static List<Path> under(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes about) {
            return !entered.equals(folder) && isMade(entered)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
            if (Files.isRegularFile(file) && !isMade(file)) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    found.sort(null);
    return found;
  }

  private static boolean isMade(Path path) {
    return MADE_BY_TOOLS.contains(path.getFileName().toString());
  }
}
